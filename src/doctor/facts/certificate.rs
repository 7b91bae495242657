//! Certificates that the access to the hub depends on.

use super::Known;
use tidegate_model::time::Timestamp;

/// A certificate that the access to the hub depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// What it is for.
    pub of: String,
    /// When it ends.
    pub ends: Known<Timestamp>,
}
