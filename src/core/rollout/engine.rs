//! The door of the engine: what goes in, what comes out.

use std::collections::BTreeMap;

use crate::rollout::{ClusterStatus, Error, Verdict, Wait, compat, strict};
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::decision::{DecisionGroup, Semantics};
use tidegate_model::name::ClusterName;
use tidegate_model::time::{SignedDuration, Timestamp};

/// All that one decision depends on.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The strategy of the placement.
    pub strategy: &'a RolloutStrategy,
    /// The decision groups of the placement, in any order.
    pub groups: &'a [DecisionGroup],
    /// The clusters that are known to take part, in any order. A cluster that is missing here counts as not started.
    pub existing: &'a [ClusterStatus],
    /// The time of the decision.
    pub now: Timestamp,
}

/// What happens next in a rollout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// The clusters that are to have the new configuration at this moment: those with [`Status::ToApply`] start, the
    /// others are under way or in their soak time.
    ///
    /// # Shape
    /// Strict: each cluster once, mandatory groups first, then the others (by group for `ProgressivePerGroup`), sorted
    /// by name inside. Compat: upstream's order; a name that was given twice appears twice.
    ///
    /// [`Status::ToApply`]: crate::rollout::Status::ToApply
    pub rollout: Vec<ClusterStatus>,
    /// The clusters whose deadline has passed, unless the caller had them as timed out already.
    pub timed_out: Vec<ClusterStatus>,
    /// The given clusters that no group holds: sorted by name in strict, in the order of the input in compat.
    pub removed: Vec<ClusterStatus>,
    /// Whether more clusters failed than may fail.
    pub breach: bool,
    /// How long until the next deadline or soak time of a cluster in `rollout` ends; absent if none does.
    pub recheck_after: Option<SignedDuration>,
    /// What is decided for each cluster of the groups, and for each one that was removed from them.
    pub verdicts: BTreeMap<ClusterName, Verdict>,
}

impl Decision {
    /// Returns the clusters that have not started, each with what it waits for.
    pub fn waiting(&self) -> impl Iterator<Item = (&ClusterName, &Wait)> {
        self.verdicts.iter().filter_map(|(cluster, verdict)| match verdict {
            Verdict::Waits(wait) => Some((cluster, wait)),
            _ => None,
        })
    }

    /// Adds a verdict on each cluster that no group holds. A name that is none is one that no placement can select.
    pub(super) fn with_removed(mut self, removed: Vec<ClusterStatus>) -> Self {
        for cluster in removed.iter().filter_map(|status| status.cluster.parse().ok()) {
            // In compat, a group that upstream loses loses its clusters too.
            self.verdicts.entry(cluster).or_insert(Verdict::Removed);
        }
        self.removed = removed;
        self
    }

    /// Sets `recheck_after` from the clusters in `rollout`.
    pub(super) fn with_recheck(mut self, now: Timestamp) -> Self {
        let spans = self.rollout.iter().filter_map(|status| status.recheck).map(|at| now.duration_until(at));
        self.recheck_after = spans.filter(SignedDuration::is_positive).min();
        self
    }
}

/// Decides which clusters get the new configuration at this moment.
///
/// # Errors
/// A strategy that cannot be read: an unknown type, or a deadline, soak time or threshold of the wrong form. Compat looks
/// at a setting only when it comes to need it, so a wrong one may go unnoticed for some time.
pub fn decide(input: &Input<'_>, semantics: Semantics) -> Result<Decision, Error> {
    match semantics {
        Semantics::Strict => strict::decide(input),
        Semantics::Compat => compat::decide(input),
    }
}
