//! Parsed request bodies.

use serde_json::Value;

/// A parsed request body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    /// The value; the last of duplicate fields wins.
    pub(crate) value: Value,
    /// The paths of duplicate fields.
    pub(crate) duplicates: Vec<String>,
}

impl From<Value> for Input {
    fn from(value: Value) -> Self {
        Self { value, duplicates: Vec::new() }
    }
}
