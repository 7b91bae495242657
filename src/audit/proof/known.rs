//! What is known from earlier claims.

use super::tracked::Tracked;
use crate::audit::claims::Entry;
use tidegate_model::revision::CommitId;

/// The rules in force before and after the last commit that changed them.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    pub(super) before: Option<Tracked>,
    pub(super) now: Option<Tracked>,
    pub(super) changed_by: Option<CommitId>,
}

impl Known {
    /// Returns the rules that were in force before a commit.
    pub(super) fn before(&self, entry: &Entry) -> Option<&Tracked> {
        if self.changed_by.as_ref() == Some(&entry.commit) { self.before.as_ref() } else { self.now.as_ref() }
    }
}
