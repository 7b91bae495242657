//! What comes in with a write.

use serde_json::Value;

/// A body as it was read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    /// The value; of members that are given twice the last one counts.
    pub(crate) value: Value,
    /// The members that are given twice, by path.
    pub(crate) duplicates: Vec<String>,
}

impl From<Value> for Input {
    fn from(value: Value) -> Self {
        Self { value, duplicates: Vec::new() }
    }
}
