//! ManagedClusterAddOn: one add-on on one cluster.

use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::cluster_management_addon::AddOnMeta;
use super::config_reference::{ConfigReference, ConfigSpecHash, GroupResource};
use crate::condition::Condition;
use crate::key::ADDON_GROUP;
use crate::ocm::field_schema;

/// Represents one add-on on one cluster; it is in the namespace of the cluster and has the name of the add-on.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "addon.open-cluster-management.io",
    version = "v1beta1",
    kind = "ManagedClusterAddOn",
    plural = "managedclusteraddons",
    namespaced,
    shortname = "mca",
    shortname = "mcas",
    status = "ManagedClusterAddOnStatus",
    derive = "PartialEq",
    derive = "Default",
    printcolumn = r#"{"name":"Available","type":"string","jsonPath":".status.conditions[?(@.type==\"Available\")].status"}"#,
    printcolumn = r#"{"name":"Degraded","type":"string","jsonPath":".status.conditions[?(@.type==\"Degraded\")].status"}"#,
    printcolumn = r#"{"name":"Progressing","type":"string","jsonPath":".status.conditions[?(@.type==\"Progressing\")].status"}"#
)]
#[serde(rename_all = "camelCase", default)]
pub struct ManagedClusterAddOnSpec {
    /// Configurations for this cluster only; they replace the placement's configurations of the same kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub configs: Vec<ConfigReference>,
}

impl ManagedClusterAddOn {
    /// Returns the configurations in force on the cluster, according to the status.
    pub fn config_references(&self) -> &[AddOnConfigReference] {
        self.status.as_ref().map(|status| status.config_references.as_slice()).unwrap_or_default()
    }

    /// Returns `true` if exactly these configurations should be in force on the cluster, according to the status.
    pub fn has_desired(&self, configs: &[ConfigSpecHash]) -> bool {
        let desired = self.config_references().iter().map(|reference| reference.desired_config.as_ref());
        desired.len() == configs.len()
            && desired.into_iter().all(|config| config.is_some_and(|it| configs.contains(it)))
    }

    /// Returns the first configuration of this resource in the add-on group, according to the status. Upstream never uses more than one.
    pub fn config_reference(&self, resource: &str) -> Option<&AddOnConfigReference> {
        self.config_references().iter().find(|entry| entry.group == ADDON_GROUP && entry.resource == resource)
    }
}

/// Observed state of an add-on on one cluster.
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
    /// The kinds of configuration that the add-on supports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "supported_configs")]
    pub supported_configs: Vec<GroupResource>,
    /// The configurations in force on this cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub config_references: Vec<AddOnConfigReference>,
    /// Namespace on the cluster for the add-on's credentials and its lease.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub namespace: String,
    /// How the add-on's agent registers on the hub.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub registrations: Vec<Registration>,
    /// How the health of the add-on is determined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health_check: Option<HealthCheck>,
}

/// A reference to any object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectReference {
    /// API group.
    pub group: String,
    /// Plural resource name.
    pub resource: String,
    /// Namespace; omitted for a cluster-scoped object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Name.
    pub name: String,
}

/// One configuration in force on a cluster.
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

/// How an agent registers: with the hub's API server or with the add-on's own signer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    /// `kubeClient` or `customSigner`.
    #[serde(rename = "type")]
    #[schemars(schema_with = "field_schema::registration_type")]
    pub type_: String,
    /// Set for type `kubeClient`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kube_client: Option<KubeClientRegistration>,
    /// Set for type `customSigner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_signer: Option<CustomSignerRegistration>,
}

/// Registration with the hub's API server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct KubeClientRegistration {
    /// The user and groups that the agent requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<KubeClientSubject>,
    /// `csr` or `token`, as the agent declares.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::client_driver")]
    pub driver: String,
}

/// A user with its groups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct KubeClientSubject {
    /// The user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
}

/// Registration with the add-on's own signer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomSignerRegistration {
    /// Name of the signer, as `domain/path`.
    #[schemars(schema_with = "field_schema::signer_name")]
    pub signer_name: String,
    /// The subject of the certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<CustomSignerSubject>,
}

/// The subject of a certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomSignerSubject {
    /// The user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// The organizational units.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub organization_units: Vec<String>,
}

/// How the health of an add-on is determined.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HealthCheck {
    /// `Lease` (the default): the agent renews a lease. `Customized`: a controller on the hub sets `Available`.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::health_mode")]
    pub mode: String,
}

/// `status.supportedConfigs`.
fn supported_configs(generator: &mut SchemaGenerator) -> Schema {
    field_schema::list_map::<GroupResource>(generator, &["group", "resource"])
}
