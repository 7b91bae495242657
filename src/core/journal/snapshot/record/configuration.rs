//! One configuration of an add-on, in the table at the top of `fleet.yaml`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One configuration of an add-on, with the hash of its content. Clusters share few lists of configurations, so each list is written once,
/// and clusters refer to it by its key.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Configuration {
    /// Plural resource and group, such as `addontemplates.addon.open-cluster-management.io`.
    pub resource: String,
    /// Namespace of the object; omitted if the object is cluster-scoped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Name of the object; omitted if the cluster has no configuration in this place of the list.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// SHA-256 of its spec; omitted while it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
}

impl Configuration {
    /// Returns the resource as it is written, from a group and a plural name.
    pub(in crate::snapshot) fn resource_of(group: &str, resource: &str) -> String {
        if group.is_empty() { resource.to_owned() } else { format!("{resource}.{group}") }
    }

    /// Returns the plural name and the group; the group is empty for the core group.
    pub fn resource_and_group(&self) -> (&str, &str) {
        self.resource.split_once('.').unwrap_or((&self.resource, ""))
    }
}
