//! The ownership mark on objects of the hub: the instance of Tidegate that an object claims to belong to.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;

use super::key;
use tidegate_model::instance::Instance;

/// The owner of an object, according to the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// No owner: no instance has written it.
    None,
    /// An instance that did not write its identity, as versions up to 0.1.0 did.
    Unidentified,
    /// An instance with an identity.
    Instance {
        /// The identity, as written on the object.
        id: String,
        /// The name of the instance; empty if it has none.
        name: String,
    },
}

impl Mark {
    /// Reads the mark from metadata.
    pub fn of(metadata: &ObjectMeta) -> Self {
        let get =
            |map: &Option<BTreeMap<String, String>>, key: &str| map.as_ref().and_then(|map| map.get(key)).cloned();
        Self::read(|key| get(&metadata.labels, key), |key| get(&metadata.annotations, key))
    }

    /// Reads the mark from an object in JSON.
    pub fn of_object(object: &Value) -> Self {
        let metadata = object.get("metadata");
        let get = |map: &str, key: &str| Some(metadata?.get(map)?.get(key)?.as_str()?.to_owned());
        Self::read(|key| get("labels", key), |key| get("annotations", key))
    }

    fn read(label: impl Fn(&str) -> Option<String>, annotation: impl Fn(&str) -> Option<String>) -> Self {
        match label(key::INSTANCE_LABEL) {
            Some(id) => Self::Instance { id, name: annotation(key::INSTANCE_NAME).unwrap_or_default() },
            None if label(key::OWNED_LABEL).is_some() => Self::Unidentified,
            None => Self::None,
        }
    }

    /// Returns `true` if the mark is of this instance.
    pub fn is_of(&self, instance: &Instance) -> bool {
        matches!(self, Self::Instance { id, .. } if id == instance.id.as_str())
    }
}

/// Displays as `instance name (identity)`.
impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("no instance"),
            Self::Unidentified => f.write_str("an instance that did not write its identity"),
            Self::Instance { id, name } if name.is_empty() => write!(f, "instance {id}"),
            Self::Instance { id, name } => write!(f, "instance {name} ({id})"),
        }
    }
}
