//! What `fleet.yaml` has above the clusters: Placements, add-ons, and objects that belong to an instance.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::is_unset;
use super::owner::Owner;
use tidegate_api::ocm::cluster_management_addon::{ClusterManagementAddOnSpec, ClusterManagementAddOnStatus};
use tidegate_api::ocm::placement::PlacementStatus;
use tidegate_model::time::{Rfc3339, Timestamp};

/// A decision group of a Placement. Its clusters refer to it by its index.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Group {
    /// Its index, from 0.
    pub index: i32,
    /// Its name; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// A Placement on the hub, with the groups in its decisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HubPlacement {
    /// Its spec, as on the hub; omitted if the hub has only its decisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<Map<String, Value>>,
    /// Whether an annotation keeps schedulers from it.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub unscheduled: bool,
    /// Since when it is being deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub deleting: Option<Timestamp>,
    /// Its status, as on the hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub status: Option<PlacementStatus>,
    /// The groups in its decisions, by index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// A ClusterManagementAddOn on the hub.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HubAddon {
    /// The instance that it belongs to; omitted if that is the instance of the document.
    #[serde(default, skip_serializing_if = "Owner::is_ours")]
    pub owner: Owner,
    /// Who drives it, as its annotation `addon.open-cluster-management.io/lifecycle` has it; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lifecycle: String,
    /// Its spec, as on the hub. Where OCM's add-on manager delivers, as Tidegate declares it.
    #[schemars(with = "Map<String, Value>")]
    pub spec: ClusterManagementAddOnSpec,
    /// Its status, as on the hub, without conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub status: Option<ClusterManagementAddOnStatus>,
}

/// An object that belongs to an instance. Its content is not recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HubObject {
    /// Its API group; omitted for the core group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// Its namespace; omitted for a cluster-scoped object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The instance that it belongs to; omitted if that is the instance of the document.
    #[serde(default, skip_serializing_if = "Owner::is_ours")]
    pub owner: Owner,
    /// Since when it is being deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub deleting: Option<Timestamp>,
}

/// An object on the hub that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Unreadable {
    /// Its API group; omitted for the core group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// Its namespace; omitted for a cluster-scoped object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Why it could not be read.
    pub why: String,
}
