//! A manifest of a ManifestWork.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A manifest of a ManifestWork as the hub has it, kept as JSON text. As parsed objects, the manifests of a large fleet would need ten times
/// the memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Manifest(Box<str>);

impl Manifest {
    /// Returns the object.
    pub fn object(&self) -> Value {
        // The text is always that of a value.
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

impl From<&Value> for Manifest {
    fn from(object: &Value) -> Self {
        Self(object.to_string().into())
    }
}

impl fmt::Debug for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Manifest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.object().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Manifest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|object| Self::from(&object))
    }
}
