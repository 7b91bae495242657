//! ClusterManagementAddOn: an add-on, where it is installed and how it is rolled out.

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::config_reference::{ConfigReference, ConfigSpecHash};
use crate::condition::Condition;
use crate::ocm::cluster::rollout_strategy::RolloutStrategy;
use crate::ocm::field_schema;
use tidegate_model::name::NamespacedName;

/// Represents the registration of an add-on on the hub: its default configurations, where it is installed and how it is rolled out.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "addon.open-cluster-management.io",
    version = "v1beta1",
    kind = "ClusterManagementAddOn",
    plural = "clustermanagementaddons",
    shortname = "cma",
    shortname = "cmas",
    status = "ClusterManagementAddOnStatus",
    derive = "PartialEq",
    derive = "Default",
    printcolumn = r#"{"name":"DISPLAY NAME","type":"string","jsonPath":".spec.addOnMeta.displayName"}"#
)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterManagementAddOnSpec {
    /// Display name and description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_on_meta: Option<AddOnMeta>,
    /// Default configuration objects, one for each kind of configuration that the add-on supports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "default_configs")]
    pub default_configs: Vec<ConfigReference>,
    /// Who installs the add-on, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "install_strategy")]
    pub install_strategy: Option<InstallStrategy>,
}

/// Name and description of an add-on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AddOnMeta {
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// What the add-on is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Where an add-on is installed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InstallStrategy {
    /// `Manual` (the default): people create the ManagedClusterAddOns. `Placements`: the listed placements decide.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::install_type")]
    pub type_: String,
    /// The placements; if several select the same cluster, the last one wins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "placement_strategies")]
    pub placements: Vec<PlacementStrategy>,
}

/// Returns `true` if the clusters of an add-on with this strategy are chosen by hand and not by placements.
pub fn is_manual(strategy: Option<&InstallStrategy>) -> bool {
    strategy.is_none_or(|strategy| matches!(strategy.type_.as_str(), "" | "Manual"))
}

/// One placement of an add-on, with its configurations and its rollout strategy.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacementStrategy {
    /// Namespace of the Placement.
    #[schemars(length(min = 1))]
    pub namespace: String,
    /// Name of the Placement.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Configurations for the clusters of this placement; they replace the defaults of the same kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub configs: Vec<ConfigReference>,
    /// The order in which clusters get a new configuration.
    #[serde(default)]
    #[schemars(schema_with = "rollout_strategy")]
    pub rollout_strategy: RolloutStrategy,
}

impl PlacementStrategy {
    /// Returns the name of the Placement.
    pub fn reference(&self) -> NamespacedName {
        NamespacedName::new(&self.namespace, &self.name)
    }
}

/// Observed state of a ClusterManagementAddOn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterManagementAddOnStatus {
    /// The default configurations with their hashes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub default_config_references: Vec<DefaultConfigReference>,
    /// One entry for each placement, in the order of the spec.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub install_progressions: Vec<InstallProgression>,
}

/// A default configuration with its hash.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DefaultConfigReference {
    /// API group of the configuration kind; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::group")]
    pub group: String,
    /// Plural resource name of the configuration kind.
    #[schemars(length(min = 1))]
    pub resource: String,
    /// The object and its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desired_config: Option<ConfigSpecHash>,
}

/// Progress of one placement of an add-on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallProgression {
    /// Namespace of the Placement.
    #[schemars(length(min = 1))]
    pub namespace: String,
    /// Name of the Placement.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The configurations of this placement and their progress.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub config_references: Vec<InstallConfigReference>,
    /// Condition `Progressing`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::conditions")]
    pub conditions: Vec<Condition>,
}

/// One configuration of a placement and its progress.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallConfigReference {
    /// API group of the configuration kind; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::group")]
    pub group: String,
    /// Plural resource name of the configuration kind.
    #[schemars(length(min = 1))]
    pub resource: String,
    /// The desired configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desired_config: Option<ConfigSpecHash>,
    /// The last configuration that all clusters had without failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_known_good_config: Option<ConfigSpecHash>,
    /// The last configuration that all clusters had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_applied_config: Option<ConfigSpecHash>,
}

/// `defaultConfigs`.
fn default_configs(generator: &mut SchemaGenerator) -> Schema {
    field_schema::list_map::<ConfigReference>(generator, &["group", "resource"])
}

/// `installStrategy.placements`.
fn placement_strategies(generator: &mut SchemaGenerator) -> Schema {
    field_schema::list_map::<PlacementStrategy>(generator, &["namespace", "name"])
}

/// `installStrategy`; defaults to Manual.
fn install_strategy(generator: &mut SchemaGenerator) -> Schema {
    field_schema::with_default::<InstallStrategy>(generator, serde_json::json!({ "type": "Manual" }))
}

/// `rolloutStrategy`; defaults to All.
fn rollout_strategy(generator: &mut SchemaGenerator) -> Schema {
    field_schema::with_default::<RolloutStrategy>(generator, serde_json::json!({ "type": "All" }))
}
