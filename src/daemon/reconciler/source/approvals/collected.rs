//! What was found out about approvals, and is remembered from poll to poll.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::reconciler::clock::Clock;
use tidegate_consent::file::{Evidence, Trail};
use tidegate_consent::{Approvals, Authors, Basis, Ledger};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::replaced::Replaced;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// What was found out about approvals.
#[derive(Debug, Default)]
pub(in crate::reconciler::source) struct Collected {
    /// The approvals at the followed revision.
    pub(in crate::reconciler::source) current: Arc<Approvals>,
    /// The last changes of digests.
    pub(in crate::reconciler::source) ledger: Ledger,
    /// The digests that are not in force any more.
    pub(in crate::reconciler::source) replaced: BTreeMap<UnitName, Replaced>,
    /// The digest of each add-on that is in force.
    pub(in crate::reconciler::source) digests: BTreeMap<UnitName, Digest>,
    /// The clock that dates what is seen; `None` until the task runs.
    pub(in crate::reconciler::source) clock: Option<Clock>,
    pub(super) trail: Trail,
    /// The commit whose history the trail contains.
    pub(super) tip: Option<CommitId>,
    /// Whether that history was available completely.
    pub(super) is_complete: bool,
    /// When commits were seen first, as far as that is known.
    pub(super) seen: BTreeMap<CommitId, Timestamp>,
    pub(super) evidence: BTreeMap<CommitId, Evidence>,
    pub(super) authors: BTreeMap<(Option<CommitId>, CommitId), Authors>,
    /// What revisions say about rules, as far as changes refer to them.
    pub(super) bases: BTreeMap<CommitId, Arc<Basis>>,
    /// The content of the files of trusted keys, by which a change of them is noticed.
    pub(super) keys: Vec<Option<Vec<u8>>>,
    /// Whether something failed that may succeed at the next poll.
    pub(super) is_stale: bool,
}

impl Collected {
    /// Forgets what no change refers to any more, except for one commit.
    pub(super) fn forget_bases(&mut self, newest: &CommitId) {
        let named = self.ledger.commits();
        self.bases.retain(|commit, _| commit == newest || named.contains(commit));
    }
}
