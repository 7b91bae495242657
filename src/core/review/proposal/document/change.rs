//! What happens to an add-on or an object.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens to an add-on or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Change {
    /// Only the head has it.
    Added,
    /// It changes.
    Changed,
    /// Only the base has it.
    Removed,
    /// It changes nothing.
    Unchanged,
    /// The head has errors in it, so it stays as it is.
    Blocked,
}
