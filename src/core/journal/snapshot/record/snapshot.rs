//! The document as a whole.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cluster::Cluster;
use super::configuration::Configuration;
use super::hub::{HubAddon, HubObject, HubPlacement, Unreadable};
use super::is_unset;
use tidegate_api::ocm::managed_cluster_set::ManagedClusterSetSpec;
use tidegate_model::document::API_VERSION;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::{Rfc3339, Timestamp};

/// The kind of the document.
pub(in crate::snapshot) const KIND: &str = "Fleet";

/// `fleet.yaml`: what a plan needs of a hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Fleet")]
pub struct Snapshot {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Fleet`.
    #[schemars(extend("const" = KIND))]
    pub kind: String,
    /// When the fleet was observed as it is in the document; absent in a document that people wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub as_of: Option<Timestamp>,
    /// The instance that wrote the document. Objects without an owner in the document belong to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<InstanceId>,
    /// The names of instances, by identity.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub instances: BTreeMap<String, String>,
    /// Whether OCM's add-on manager delivers the add-ons.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub manager_delivers: bool,
    /// The lists of configurations that clusters have, by a key that depends only on the list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub configurations: BTreeMap<String, Vec<Configuration>>,
    /// The specs of the cluster sets, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Map<String, Value>>")]
    pub cluster_sets: BTreeMap<String, ManagedClusterSetSpec>,
    /// The bindings of cluster sets, as `namespace/set`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub cluster_set_bindings: BTreeSet<String>,
    /// The Placements, as `namespace/name`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub placements: BTreeMap<String, HubPlacement>,
    /// The ClusterManagementAddOns, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub addons: BTreeMap<UnitName, HubAddon>,
    /// The other objects that belong to an instance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<HubObject>,
    /// The objects that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<Unreadable>,
    /// The clusters, by name.
    pub clusters: BTreeMap<ClusterName, Cluster>,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self {
            api_version: API_VERSION.to_owned(),
            kind: KIND.to_owned(),
            as_of: None,
            instance: None,
            instances: BTreeMap::new(),
            manager_delivers: false,
            configurations: BTreeMap::new(),
            cluster_sets: BTreeMap::new(),
            cluster_set_bindings: BTreeSet::new(),
            placements: BTreeMap::new(),
            addons: BTreeMap::new(),
            objects: Vec::new(),
            unreadable: Vec::new(),
            clusters: BTreeMap::new(),
        }
    }
}

impl Snapshot {
    /// Returns a list of configurations by its key; empty for an unknown key.
    pub fn configurations_of(&self, key: &str) -> &[Configuration] {
        self.configurations.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the number of clusters that came, went, or changed in more than what is measured all the time.
    pub fn changed_clusters(&self, before: &Self) -> usize {
        let is_new = |(name, cluster): &(&ClusterName, &Cluster)| {
            before.clusters.get(*name).is_none_or(|before| before.differs(cluster))
        };
        let gone = before.clusters.keys().filter(|name| !self.clusters.contains_key(*name));
        self.clusters.iter().filter(is_new).count() + gone.count()
    }

    /// Returns `true` if the fleets differ in more than what is measured all the time: the resources and scores of clusters. A document is
    /// not written again because of those alone.
    pub fn differs(&self, other: &Self) -> bool {
        let (ours, theirs) = (self.header(), other.header());
        self.changed_clusters(other) > 0
            || ours != theirs
            || self.configurations != other.configurations
            || (&self.cluster_sets, &self.cluster_set_bindings) != (&other.cluster_sets, &other.cluster_set_bindings)
            || (&self.placements, &self.addons) != (&other.placements, &other.addons)
            || (&self.objects, &self.unreadable) != (&other.objects, &other.unreadable)
    }

    /// Returns `true` if the fleets are the same, whenever they were observed.
    pub fn is_same(&self, other: &Self) -> bool {
        !self.differs(other) && self.clusters == other.clusters
    }

    fn header(&self) -> (&str, &str, Option<&InstanceId>, &BTreeMap<String, String>, bool) {
        (&self.api_version, &self.kind, self.instance.as_ref(), &self.instances, self.manager_delivers)
    }
}
