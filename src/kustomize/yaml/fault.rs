//! What is wrong with a text or a tree, and where.

use super::origin::Origin;

/// Something wrong, with its remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub origin: Origin,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Fault {
    /// Makes a fault.
    pub fn new(origin: Origin, message: impl Into<String>) -> Self {
        Self { origin, message: message.into() }
    }
}
