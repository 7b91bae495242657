//! What Tidegate has assigned to a cluster, recorded on its ManagedClusterAddOn.

use std::collections::BTreeSet;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use crate::status::Entry as _;
use tidegate_api::condition::Condition;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnStatus};

/// The conditions that are recorded. The add-on manager writes some of the same types in the status, with other meanings of their times.
const RECORDED: [&str; 4] = [key::CONFIGURED, key::PROGRESSING, key::OVERDUE, key::DELIVERED];

/// What Tidegate has assigned to a cluster.
///
/// # Shape
/// The value of annotation `tidegate.io/assignment`, as JSON. It is written together with `spec.configs`, in one patch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Assignment {
    /// The name of the add-on.
    pub addon: String,
    /// The name of the cluster.
    pub cluster: String,
    /// The assigned configurations under their declared names, and the ones that were completed last.
    pub config_references: Vec<AddOnConfigReference>,
    /// The conditions `Configured`, `Progressing` and `tidegate.io/Overdue`, as native delivery has them in the status, and
    /// `tidegate.io/Delivered`.
    pub conditions: Vec<Condition>,
    /// The copies that `spec.configs` names, each with the hash that the add-on manager reports for it.
    pub copies: Vec<AddOnConfigReference>,
    /// The configurations that `spec.configs` had before: the cluster's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<ConfigReference>,
}

impl Assignment {
    /// Reads the assignment of a cluster; `None` if it has none, if it cannot be read or is incomplete, or if it is about another cluster
    /// or add-on: such an object was copied.
    pub fn of(metadata: &ObjectMeta) -> Option<Self> {
        let found: Self = serde_json::from_str(metadata.annotations.as_ref()?.get(key::ASSIGNMENT)?).ok()?;
        let is_about =
            metadata.name.as_ref() == Some(&found.addon) && metadata.namespace.as_ref() == Some(&found.cluster);
        (is_about && found.is_complete()).then_some(found)
    }

    /// Returns `true` if there are copies exactly for the kinds of the assigned configurations.
    fn is_complete(&self) -> bool {
        let kinds = |references: &[AddOnConfigReference]| {
            let named = references.iter().filter(|reference| reference.desired().is_some());
            named.map(|r| (r.group.clone(), r.resource.clone())).collect::<BTreeSet<_>>()
        };
        let is_named =
            |reference: &AddOnConfigReference| reference.desired().is_some_and(|d| !d.reference.name.is_empty());
        self.copies.iter().all(is_named) && kinds(&self.copies) == kinds(&self.config_references)
    }

    /// Takes the assigned configurations and the recorded conditions from a status.
    #[must_use]
    pub fn with_status(self, status: &ManagedClusterAddOnStatus) -> Self {
        let recorded = status.conditions.iter().filter(|condition| is_recorded(condition)).cloned();
        Self { config_references: status.config_references.clone(), conditions: recorded.collect(), ..self }
    }

    /// Returns the value of the annotation.
    pub fn annotation(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the references for `spec.configs`.
    pub fn pins(&self) -> Vec<ConfigReference> {
        let pin = |copy: &AddOnConfigReference| {
            let config = copy.desired_config.clone().unwrap_or_default();
            let (group, resource) = (copy.group.clone(), copy.resource.clone());
            ConfigReference { group, resource, namespace: config.namespace, name: config.name }
        };
        self.copies.iter().map(pin).collect()
    }

    /// Returns `true` if `spec.configs` is as it was written.
    pub fn is_pinned(&self, addon: &ManagedClusterAddOn) -> bool {
        addon.spec.configs == self.pins()
    }

    /// Returns `true` if the other assignment differs in more than the messages of its conditions, which change often.
    pub fn differs(&self, other: &Self) -> bool {
        let bare = |assignment: &Self| Self { conditions: Vec::new(), ..assignment.clone() };
        bare(self) != bare(other) || differ(&self.conditions, &other.conditions)
    }
}

/// Returns `true` if conditions differ in more than their messages.
pub(super) fn differ(these: &[Condition], those: &[Condition]) -> bool {
    let silent = |condition: &Condition| Condition { message: String::new(), ..condition.clone() };
    !these.iter().map(silent).eq(those.iter().map(silent))
}

/// Returns `true` for a condition that an assignment records.
pub(super) fn is_recorded(condition: &Condition) -> bool {
    RECORDED.contains(&condition.type_.as_str())
}
