//! Errors in a file or a tree, with their origin.

use super::origin::Origin;

/// An error, with advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The position.
    pub origin: Origin,
    /// What is wrong, and how to fix it.
    pub message: String,
}

impl Fault {
    /// Creates an error.
    pub fn new(origin: Origin, message: impl Into<String>) -> Self {
        Self { origin, message: message.into() }
    }
}
