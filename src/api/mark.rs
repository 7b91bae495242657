//! The ownership mark on objects of the hub: the instance of Tidegate that an object claims to belong to.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;

use super::key;
use tidegate_model::instance::Instance;

/// The instance that an object claims to belong to. An object without a mark was written by no instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The identity, as written on the object.
    pub id: String,
    /// The name of the instance; empty if it has none.
    pub name: String,
}

impl Mark {
    /// Reads the mark from metadata.
    pub fn of(metadata: &ObjectMeta) -> Option<Self> {
        let get =
            |map: &Option<BTreeMap<String, String>>, key: &str| map.as_ref().and_then(|map| map.get(key)).cloned();
        Self::read(|key| get(&metadata.labels, key), |key| get(&metadata.annotations, key))
    }

    /// Reads the mark from an object in JSON.
    pub fn of_object(object: &Value) -> Option<Self> {
        let metadata = object.get("metadata");
        let get = |map: &str, key: &str| Some(metadata?.get(map)?.get(key)?.as_str()?.to_owned());
        Self::read(|key| get("labels", key), |key| get("annotations", key))
    }

    fn read(label: impl Fn(&str) -> Option<String>, annotation: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let id = label(key::INSTANCE_LABEL)?;
        Some(Self { id, name: annotation(key::INSTANCE_NAME).unwrap_or_default() })
    }

    /// Returns `true` if the mark is of this instance.
    pub fn is_of(&self, instance: &Instance) -> bool {
        self.id == instance.id.as_str()
    }
}

/// Displays as `instance name (identity)`.
impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, name } = self;
        if name.is_empty() { write!(f, "instance {id}") } else { write!(f, "instance {name} ({id})") }
    }
}
