//! The instance that an object claims to belong to, in few characters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The instance that an object claims to belong to.
///
/// # Shape
/// The identity of an instance, or `(none)` for an object without an owner. It is left out if the owner is the instance of the document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Owner(String);

/// No identity has parentheses: a label value starts and ends with a letter or digit.
const NONE: &str = "(none)";

impl Owner {
    /// Returns the owner of an object without a mark.
    pub fn none() -> Self {
        Self(NONE.to_owned())
    }

    /// Returns another instance as owner.
    pub fn other(id: &str) -> Self {
        Self(id.to_owned())
    }

    /// Returns `true` for the instance of the document.
    pub fn is_ours(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if the object has no mark.
    pub fn is_none(&self) -> bool {
        self.0 == NONE
    }

    /// Returns the owner as it is written; empty for the instance of the document.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
