//! An object that changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An object that changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ObjectVariables {
    /// Kind, namespace and name.
    pub object: String,
    /// `Added`, `Changed` or `Removed`.
    pub change: String,
    /// The number of lines that are added; 0 for an object that does not belong to an add-on.
    pub added: usize,
    /// The number of lines that are removed; 0 for an object that does not belong to an add-on.
    pub removed: usize,
}
