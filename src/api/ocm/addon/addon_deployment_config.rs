//! AddOnDeploymentConfig: how an add-on is adapted to its clusters.

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::{ResourceRequirements, Toleration};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kubernetes;
use crate::ocm::field_schema;

/// Represents the settings of an add-on: variables, node placement, image registries, proxy, install namespace and resources.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "addon.open-cluster-management.io",
    version = "v1beta1",
    kind = "AddOnDeploymentConfig",
    plural = "addondeploymentconfigs",
    namespaced,
    derive = "PartialEq",
    derive = "Default"
)]
#[serde(rename_all = "camelCase", default)]
pub struct AddOnDeploymentConfigSpec {
    /// Values for the `{{VARIABLES}}` of a template.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub customized_variables: Vec<CustomizedVariable>,
    /// The nodes on which the pods of the add-on run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_placement: Option<NodePlacement>,
    /// Image registries to replace; the last matching entry wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registries: Option<Vec<ImageMirror>>,
    /// Proxy settings for the containers of the add-on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy_config: Option<ProxyConfig>,
    /// Namespace that the add-on is installed in; empty keeps the namespaces of the template.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::agent_install_namespace")]
    pub agent_install_namespace: Option<String>,
    /// Resources of containers; the last matching entry wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["containerID"]))]
    pub resource_requirements: Option<Vec<ContainerResourceRequirements>>,
}

impl AddOnDeploymentConfigSpec {
    /// Returns the spec of an AddOnDeploymentConfig.
    ///
    /// # Errors
    /// The object has no spec, or one that does not fit the type.
    pub fn of(object: &Value) -> Result<Self, serde_json::Error> {
        object.get("spec").map_or_else(|| Self::deserialize(&Value::Null), Self::deserialize)
    }
}

/// A variable of a template and its value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomizedVariable {
    /// Name of the variable.
    #[schemars(length(max = 255), regex(pattern = r"^[a-zA-Z_][_a-zA-Z0-9]*$"))]
    pub name: String,
    /// Value of the variable.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::variable_value")]
    pub value: String,
}

/// The nodes on which pods run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NodePlacement {
    /// Labels that a node must have. Upstream ignores the tolerations if this is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_selector: Option<BTreeMap<String, String>>,
    /// Taints that the pods tolerate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<kubernetes::Toleration>>")]
    pub tolerations: Option<Vec<Toleration>>,
}

/// An image registry and its replacement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImageMirror {
    /// The registry to use instead.
    pub mirror: String,
    /// The registry or image prefix to replace; omit it to replace all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub source: String,
}

/// Proxy settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ProxyConfig {
    /// Proxy for http.
    #[serde(rename = "httpProxy", skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub http: String,
    /// Proxy for https.
    #[serde(rename = "httpsProxy", skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub https: String,
    /// Certificates of the proxy, as PEM in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::ca_bundle")]
    pub ca_bundle: Option<ByteString>,
    /// Hosts to reach without the proxy.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub no_proxy: String,
}

/// Resources for the containers that match a pattern.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContainerResourceRequirements {
    /// `<resource>:<name>:<container>`, where `*` matches anything, such as `deployments:hello-agent:*`.
    #[serde(rename = "containerID")]
    #[schemars(schema_with = "field_schema::container_id")]
    pub container_id: String,
    /// The resources.
    #[schemars(with = "kubernetes::ResourceRequirements")]
    pub resources: ResourceRequirements,
}
