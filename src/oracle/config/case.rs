//! The objects of a case, read as leniently as the API of Kubernetes allows.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::placement::{Placement, PlacementDecision};
use tidegate_model::time::Timestamp;

/// Everything that one pass of the controller depends on.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Case {
    /// The clock of the rollout engine.
    pub(super) now: Timestamp,
    /// The add-on.
    #[serde(rename = "clusterManagementAddOn", deserialize_with = "object")]
    pub(super) cluster_management_addon: ClusterManagementAddOn,
    /// The Placements of all namespaces.
    #[serde(deserialize_with = "objects", default)]
    pub(super) placements: Vec<Placement>,
    /// The PlacementDecisions of all namespaces.
    #[serde(deserialize_with = "objects", default)]
    pub(super) placement_decisions: Vec<PlacementDecision>,
    /// The add-ons of all clusters.
    #[serde(rename = "managedClusterAddOns", deserialize_with = "objects", default)]
    pub(super) managed_cluster_addons: Vec<ManagedClusterAddOn>,
}

/// Reads an object, with an empty spec if it has none.
pub(crate) fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<T, D::Error> {
    read(Value::deserialize(from)?).map_err(D::Error::custom)
}

/// Reads a list of objects, each with an empty spec if it has none. `null` is an empty list.
pub(crate) fn objects<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    let objects = Option::<Vec<Value>>::deserialize(from)?.unwrap_or_default();
    objects.into_iter().map(read).collect::<Result<_, _>>().map_err(D::Error::custom)
}

fn read<T: DeserializeOwned>(mut object: Value) -> Result<T, serde_json::Error> {
    if let Some(members) = object.as_object_mut() {
        members.entry("spec").or_insert_with(|| json!({}));
    }
    serde_json::from_value(object)
}
