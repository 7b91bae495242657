//! The review as a document.

use serde::Serialize;

use super::facts::{OperatorFacts, Unguarded, Way};
use super::{guards, ways};
use crate::Loaded;

/// Who can get what onto a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The ways, each with what guards it.
    pub ways: Vec<Way>,
    /// The guards that are off.
    pub off: Vec<Unguarded>,
}

/// Returns who can get what onto a cluster.
pub fn review(loaded: &Loaded, operator: &OperatorFacts) -> Review {
    Review { ways: ways::ways(loaded, operator), off: guards::off(loaded, operator) }
}
