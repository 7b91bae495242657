//! What is known about the rules that are in force.

use std::sync::Arc;
use tidegate_consent::{Authors, Basis, RulesState};
use tidegate_model::revision::CommitId;

/// The rules in force.
#[derive(Debug, Clone)]
pub(super) struct Tracked {
    /// Their digest, and whether they were approved.
    pub(super) state: RulesState,
    /// A revision that has them.
    pub(super) commit: CommitId,
    /// What it says.
    pub(super) basis: Arc<Basis>,
    /// The first revision that the journal names.
    pub(super) first: CommitId,
}

/// Returns the authors of two changes.
pub(super) fn together(one: Authors, other: Authors) -> Authors {
    match other {
        Authors::Known(other) => one.with(&other),
        unknown @ Authors::Unknown(_) => unknown,
    }
}
