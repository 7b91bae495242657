//! Kubernetes objects as plain values, and their identity.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The identity of an object: its group and kind (not the version), namespace and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectKey {
    /// The API group; empty for the core group.
    pub group: String,
    /// The kind, in CamelCase.
    pub kind: String,
    /// The namespace; empty for a cluster-scoped object.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl ObjectKey {
    /// Creates a key; `namespace` is empty for a cluster-scoped object.
    pub fn new(group: &str, kind: &str, namespace: &str, name: &str) -> Self {
        Self { group: group.into(), kind: kind.into(), namespace: namespace.into(), name: name.into() }
    }

    /// Returns the identity of an object, or `None` if it has no `apiVersion`, `kind` or `metadata.name`.
    pub fn of(object: &Value) -> Option<Self> {
        let (group, _) = group_version(object)?;
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
        Some(Self::new(group, text("/kind")?, text("/metadata/namespace").unwrap_or(""), text("/metadata/name")?))
    }
}

impl ObjectKey {
    /// Returns the key as an inline table of TOML, as settings list objects.
    pub fn to_inline_table(&self) -> String {
        let member =
            |name: &str, value: &str| if value.is_empty() { String::new() } else { format!(", {name} = {value:?}") };
        let (group, namespace) = (member("group", &self.group), member("namespace", &self.namespace));
        format!("{{ kind = {:?}{group}{namespace}, name = {:?} }}", self.kind, self.name)
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.kind)?;
        if !self.namespace.is_empty() {
            write!(f, "{}/", self.namespace)?;
        }
        f.write_str(&self.name)
    }
}

/// A group and kind, without a version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupKind {
    /// The API group; empty for the core group.
    pub group: String,
    /// The kind, in CamelCase.
    pub kind: String,
}

impl GroupKind {
    /// Pairs a group (empty for the core group) with a kind.
    pub fn new(group: impl Into<String>, kind: impl Into<String>) -> Self {
        Self { group: group.into(), kind: kind.into() }
    }

    /// Returns the group and kind of an object.
    pub fn of(key: &ObjectKey) -> Self {
        Self::new(&key.group, &key.kind)
    }
}

impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() { f.write_str(&self.kind) } else { write!(f, "{}.{}", self.kind, self.group) }
    }
}

/// Splits the `apiVersion` of an object into group (empty for the core group) and version.
pub fn group_version(object: &Value) -> Option<(&str, &str)> {
    let api_version = object.get("apiVersion")?.as_str()?;
    Some(api_version.split_once('/').unwrap_or(("", api_version)))
}

/// Returns `true` if `actual` contains everything in `wanted`: every field of an object, every item of a list at the same index.
///
/// Fields that only `actual` has are treated as defaults or as owned by someone else, and are ignored.
pub fn contains(actual: &Value, wanted: &Value) -> bool {
    match (actual, wanted) {
        (Value::Object(actual), Value::Object(wanted)) => wanted.iter().all(|(key, wanted)| match actual.get(key) {
            Some(actual) => contains(actual, wanted),
            // An API server drops null fields. A missing empty object still counts as a difference.
            None => wanted.is_null(),
        }),
        (Value::Array(actual), Value::Array(wanted)) => {
            actual.len() == wanted.len() && actual.iter().zip(wanted).all(|(actual, wanted)| contains(actual, wanted))
        }
        (actual, wanted) => actual == wanted,
    }
}
