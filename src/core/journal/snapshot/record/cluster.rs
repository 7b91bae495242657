//! One cluster: one line of `fleet.yaml`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::availability::Availability;
use super::installed::Installed;
use super::is_unset;
use tidegate_api::ocm::managed_cluster::Taint;
use tidegate_model::name::UnitName;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The scores that an add-on reports for a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scores {
    /// The scores, by name.
    pub values: BTreeMap<String, i32>,
    /// Whether they are no longer valid.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub expired: bool,
}

/// One cluster: its ManagedCluster, the groups that it was selected into, and its add-ons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cluster {
    /// Whether the hub has no ManagedCluster of this name, only other objects that name it.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub missing: bool,
    /// Its labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The annotations that a plan depends on: image registries, those that add-ons inherit, and those that a Placement names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Its claims, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub claims: BTreeMap<String, String>,
    /// Its taints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taints: Vec<Taint>,
    /// Whether the hub has accepted it; omitted if it has.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub accepted: bool,
    /// Whether it answers; omitted if it does.
    #[serde(default, skip_serializing_if = "Availability::is_available")]
    pub availability: Availability,
    /// Its version of Kubernetes; empty if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kubernetes: String,
    /// Since when its ManagedCluster is being deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub deleting: Option<Timestamp>,
    /// Its total resources, as far as Placements use them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub capacity: BTreeMap<String, String>,
    /// Its allocatable resources, as far as Placements use them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub allocatable: BTreeMap<String, String>,
    /// The AddOnPlacementScores of the cluster, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, Scores>,
    /// For each Placement that selects the cluster, as `namespace/name`, the index of its group.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, i32>,
    /// Its add-ons, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub addons: BTreeMap<UnitName, Installed>,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_yes(flag: &bool) -> bool {
    *flag
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            missing: false,
            labels: BTreeMap::new(),
            annotations: BTreeMap::new(),
            claims: BTreeMap::new(),
            taints: Vec::new(),
            accepted: true,
            availability: Availability::Available,
            kubernetes: String::new(),
            deleting: None,
            capacity: BTreeMap::new(),
            allocatable: BTreeMap::new(),
            scores: BTreeMap::new(),
            groups: BTreeMap::new(),
            addons: BTreeMap::new(),
        }
    }
}

impl Cluster {
    /// Returns `true` if the clusters differ in more than what is measured all the time: resources and scores.
    pub(super) fn differs(&self, other: &Self) -> bool {
        let Self {
            missing,
            labels,
            annotations,
            claims,
            taints,
            accepted,
            availability,
            kubernetes,
            deleting,
            capacity: _,
            allocatable: _,
            scores: _,
            groups,
            addons,
        } = self;
        (missing, accepted, availability, deleting)
            != (&other.missing, &other.accepted, &other.availability, &other.deleting)
            || (labels, annotations, claims) != (&other.labels, &other.annotations, &other.claims)
            || (taints, kubernetes, groups, addons) != (&other.taints, &other.kubernetes, &other.groups, &other.addons)
    }
}
