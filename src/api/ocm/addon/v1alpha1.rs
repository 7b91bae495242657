//! Types that only v1alpha1 of the add-on group has; its CRDs and validation are derived from them.
//!
//! No decision is based on these types; [`super::convert`] first converts such objects to v1beta1.

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::cluster_management_addon::{AddOnMeta, DefaultConfigReference, InstallProgression, InstallStrategy};
use super::config_reference::{ConfigReference, ConfigSpecHash, GroupResource};
use super::managed_cluster_addon::{HealthCheck, ObjectReference};
use crate::condition::Condition;
use crate::ocm::field_schema;

/// Represents the registration of an add-on on the hub, in v1alpha1.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "addon.open-cluster-management.io",
    version = "v1alpha1",
    kind = "ClusterManagementAddOn",
    plural = "clustermanagementaddons",
    shortname = "cma",
    shortname = "cmas",
    status = "ClusterManagementAddOnStatus",
    printcolumn = r#"{"name":"DISPLAY NAME","type":"string","jsonPath":".spec.addOnMeta.displayName"}"#,
    printcolumn = r#"{"name":"CRD NAME","type":"string","jsonPath":".spec.addOnConfiguration.crdName"}"#
)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterManagementAddOnSpec {
    /// Display name and description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_on_meta: Option<AddOnMeta>,
    /// Deprecated; dropped in v1beta1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_on_configuration: Option<ConfigCoordinates>,
    /// The kinds of configuration that the add-on supports, each with its default object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "supported_configs_v1alpha1")]
    pub supported_configs: Vec<ConfigMeta>,
    /// Who installs the add-on, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "install_strategy")]
    pub install_strategy: Option<InstallStrategy>,
}

/// The configuration object of a first-generation add-on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ConfigCoordinates {
    /// Name of the CRD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crd_name: Option<String>,
    /// Name of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cr_name: Option<String>,
    /// Generation last observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_observed_generation: Option<i64>,
}

/// A kind of configuration and its default object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigMeta {
    /// API group of the configuration kind; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::group")]
    pub group: String,
    /// Plural resource name of the configuration kind.
    #[schemars(length(min = 1))]
    pub resource: String,
    /// The default object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_config: Option<ConfigReferent>,
}

/// Namespace and name of a configuration object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigReferent {
    /// Namespace; omitted for a cluster-scoped object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Name.
    #[schemars(length(min = 1))]
    pub name: String,
}

/// Observed state of a ClusterManagementAddOn, in v1alpha1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterManagementAddOnStatus {
    /// The default configurations with their hashes; v1alpha1 spells the key with a lowercase `c`.
    #[serde(rename = "defaultconfigReferences", skip_serializing_if = "Vec::is_empty")]
    pub default_config_references: Vec<DefaultConfigReference>,
    /// One entry for each placement, in the order of the spec.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub install_progressions: Vec<InstallProgression>,
}

/// Represents one add-on on one cluster, in v1alpha1.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "addon.open-cluster-management.io",
    version = "v1alpha1",
    kind = "ManagedClusterAddOn",
    plural = "managedclusteraddons",
    namespaced,
    shortname = "mca",
    shortname = "mcas",
    status = "ManagedClusterAddOnStatus",
    printcolumn = r#"{"name":"Available","type":"string","jsonPath":".status.conditions[?(@.type==\"Available\")].status"}"#,
    printcolumn = r#"{"name":"Degraded","type":"string","jsonPath":".status.conditions[?(@.type==\"Degraded\")].status"}"#,
    printcolumn = r#"{"name":"Progressing","type":"string","jsonPath":".status.conditions[?(@.type==\"Progressing\")].status"}"#
)]
#[serde(rename_all = "camelCase", default)]
pub struct ManagedClusterAddOnSpec {
    /// Namespace on the cluster that the add-on is installed in; v1beta1 carries it as an annotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::install_namespace")]
    pub install_namespace: Option<String>,
    /// Configurations for this cluster only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub configs: Vec<ConfigReference>,
}

/// Observed state of an add-on on one cluster, in v1alpha1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ManagedClusterAddOnStatus {
    /// Conditions such as `Available`, `Progressing`, `Configured` and `ManifestApplied`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::conditions")]
    pub conditions: Vec<Condition>,
    /// Objects that belong to the add-on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_objects: Vec<ObjectReference>,
    /// Display name and description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_on_meta: Option<AddOnMeta>,
    /// Deprecated; dropped in v1beta1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_on_configuration: Option<ConfigCoordinates>,
    /// The kinds of configuration that the add-on supports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "supported_configs")]
    pub supported_configs: Vec<GroupResource>,
    /// The configurations in force on this cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub config_references: Vec<AddOnConfigReference>,
    /// Namespace on the cluster for the add-on's credentials and its lease.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// How the add-on's agent registers on the hub.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub registrations: Vec<RegistrationConfig>,
    /// `csr` or `token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::client_driver")]
    pub kube_client_driver: Option<String>,
    /// How the health of the add-on is determined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health_check: Option<HealthCheck>,
}

/// One configuration in force on a cluster, in v1alpha1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddOnConfigReference {
    /// API group of the configuration kind; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::group")]
    pub group: String,
    /// Plural resource name of the configuration kind.
    #[schemars(length(min = 1))]
    pub resource: String,
    /// Deprecated copy of the namespace in `desiredConfig`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Deprecated copy of the name in `desiredConfig`.
    #[schemars(length(min = 1))]
    pub name: String,
    /// `metadata.generation` of the object when it was last observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_observed_generation: Option<i64>,
    /// The desired configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desired_config: Option<ConfigSpecHash>,
    /// The last configuration that the cluster completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_applied_config: Option<ConfigSpecHash>,
}

/// How an agent registers, in v1alpha1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationConfig {
    /// Name of the signer; the API server's signer means `kubeClient`.
    #[schemars(schema_with = "field_schema::signer_name")]
    pub signer_name: String,
    /// The subject of the certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<super::addon_template::SignerSubject>,
}

/// `status.supportedConfigs`.
fn supported_configs(generator: &mut SchemaGenerator) -> Schema {
    field_schema::list_map::<GroupResource>(generator, &["group", "resource"])
}

/// `spec.supportedConfigs` of v1alpha1.
fn supported_configs_v1alpha1(generator: &mut SchemaGenerator) -> Schema {
    field_schema::list_map::<ConfigMeta>(generator, &["group", "resource"])
}

/// `installStrategy`; defaults to Manual.
fn install_strategy(generator: &mut SchemaGenerator) -> Schema {
    field_schema::with_default::<InstallStrategy>(generator, serde_json::json!({ "type": "Manual" }))
}
