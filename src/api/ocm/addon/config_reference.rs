//! References to configuration objects, with and without their hash.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::key;
use crate::ocm::field_schema;
use tidegate_model::object::ObjectKey;

/// A group and plural resource: the kind of a configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupResource {
    /// API group of the configuration kind; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::group")]
    pub group: String,
    /// Plural resource name of the configuration kind, such as `addontemplates`.
    #[schemars(length(min = 1))]
    pub resource: String,
}

/// A reference to one configuration object.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigReference {
    /// API group of the configuration kind; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::group")]
    pub group: String,
    /// Plural resource name of the configuration kind, such as `addontemplates`.
    #[schemars(length(min = 1))]
    pub resource: String,
    /// Namespace of the object; omitted if the object is cluster-scoped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Name of the object.
    #[schemars(length(min = 1))]
    pub name: String,
}

impl ConfigReference {
    /// Returns the kind of the configuration.
    pub fn group_resource(&self) -> GroupResource {
        GroupResource { group: self.group.clone(), resource: self.resource.clone() }
    }

    /// Returns the referenced object; `None` if it is neither an AddOnTemplate nor an AddOnDeploymentConfig.
    pub fn object_key(&self) -> Option<ObjectKey> {
        object_key(&self.group, &self.resource, &self.namespace, &self.name)
    }
}

/// Returns the object that a configuration reference with these fields refers to; `None` if it is neither an AddOnTemplate nor an
/// AddOnDeploymentConfig, the only kinds of configurations that Tidegate reads.
pub fn object_key(group: &str, resource: &str, namespace: &str, name: &str) -> Option<ObjectKey> {
    let kind = match (group, resource) {
        (key::ADDON_GROUP, key::ADDON_TEMPLATES) => "AddOnTemplate",
        (key::ADDON_GROUP, key::ADDON_DEPLOYMENT_CONFIGS) => "AddOnDeploymentConfig",
        _ => return None,
    };
    Some(ObjectKey::new(group, kind, namespace, name))
}

/// A configuration object together with the hash of its spec.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigSpecHash {
    /// Namespace of the object; omitted if the object is cluster-scoped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Name of the object.
    #[schemars(length(min = 1))]
    pub name: String,
    /// SHA-256 of the spec in hexadecimal; empty while the object is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub spec_hash: String,
}
