//! ManagedClusterSet and ManagedClusterSetBinding: which clusters the Placements of a namespace may choose from.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::condition::Condition;
use crate::key;
use crate::kubernetes;
use crate::ocm::field_schema;

/// Represents a set of clusters.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "cluster.open-cluster-management.io",
    version = "v1beta2",
    kind = "ManagedClusterSet",
    plural = "managedclustersets",
    shortname = "mclset",
    shortname = "mclsets",
    status = "ConditionsStatus",
    derive = "PartialEq",
    derive = "Default",
    printcolumn = r#"{"name":"Empty","type":"string","jsonPath":".status.conditions[?(@.type==\"ClusterSetEmpty\")].status"}"#,
    printcolumn = r#"{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}"#
)]
#[serde(rename_all = "camelCase", default)]
pub struct ManagedClusterSetSpec {
    /// Which clusters belong to the set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "cluster_selector")]
    pub cluster_selector: Option<ManagedClusterSelector>,
    /// Namespaces that every cluster of the set should have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub managed_namespaces: Vec<ManagedNamespace>,
}

/// Which clusters belong to a set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManagedClusterSelector {
    /// `ExclusiveClusterSetLabel` (the default): by the label that names the set. `LabelSelector`: by the selector.
    #[schemars(schema_with = "field_schema::selector_type")]
    pub selector_type: String,
    /// The selector; if absent, it selects nothing; if empty, everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<kubernetes::LabelSelector>")]
    pub label_selector: Option<LabelSelector>,
}

impl ManagedClusterSet {
    /// Returns the sets that every hub has: `default`, with the clusters that its label names, and `global`, with all clusters.
    ///
    /// # Source
    /// OCM `pkg/registration/hub/managedclusterset` (2026-08-11).
    pub fn of_every_hub() -> [Self; 2] {
        let set = |name: &str, selector_type: &str, label_selector: Option<LabelSelector>| {
            let cluster_selector = ManagedClusterSelector { selector_type: selector_type.to_owned(), label_selector };
            let spec =
                ManagedClusterSetSpec { cluster_selector: Some(cluster_selector), ..ManagedClusterSetSpec::default() };
            Self::new(name, spec)
        };
        [
            set(key::DEFAULT_CLUSTER_SET, "ExclusiveClusterSetLabel", None),
            set(key::GLOBAL_CLUSTER_SET, "LabelSelector", Some(LabelSelector::default())),
        ]
    }
}

/// A namespace that every cluster of a set should have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManagedNamespace {
    /// The namespace.
    #[schemars(schema_with = "field_schema::dns_label")]
    pub name: String,
}

/// A status that has only conditions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ConditionsStatus {
    /// The conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::plain_conditions")]
    pub conditions: Vec<Condition>,
}

/// Represents a set that the Placements of a namespace may choose from.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "cluster.open-cluster-management.io",
    version = "v1beta2",
    kind = "ManagedClusterSetBinding",
    plural = "managedclustersetbindings",
    namespaced,
    shortname = "mclsetbinding",
    shortname = "mclsetbindings",
    status = "ConditionsStatus",
    derive = "PartialEq",
    derive = "Default"
)]
#[serde(rename_all = "camelCase", default)]
pub struct ManagedClusterSetBindingSpec {
    /// Name of the set; the binding must have the same name.
    #[schemars(schema_with = "field_schema::min_one", transform = field_schema::without_default)]
    pub cluster_set: String,
}

/// `clusterSelector`; selects by the label of the set by default.
fn cluster_selector(generator: &mut SchemaGenerator) -> Schema {
    field_schema::with_default::<ManagedClusterSelector>(
        generator,
        serde_json::json!({ "selectorType": "ExclusiveClusterSetLabel" }),
    )
}
