//! The entry point of the engine: its input and its decision.

use std::collections::BTreeMap;

use crate::{Admit, ClusterStatus, Error, Verdict, Wait, admit_all, compat, strict};
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};

/// Everything that one decision depends on.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The strategy of the placement.
    pub strategy: &'a RolloutStrategy,
    /// The decision groups of the placement, in any order.
    pub groups: &'a [DecisionGroup],
    /// The clusters that are known to take part, in any order. A cluster that is missing here counts as not started.
    pub existing: &'a [ClusterStatus],
    /// Whether the rollout goes through all clusters, whatever fails. Strict only.
    pub tolerates_failures: bool,
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
    /// Strict: each cluster once, mandatory groups first, then the others (by group for `ProgressivePerGroup`), each
    /// sorted by name. Compat: upstream's order; a name that was given twice appears twice.
    ///
    /// [`Status::ToApply`]: crate::Status::ToApply
    pub rollout: Vec<ClusterStatus>,
    /// The clusters whose deadline has passed, except those that the caller gave as timed out.
    pub timed_out: Vec<ClusterStatus>,
    /// The given clusters that are in no group: sorted by name in strict, in the order of the input in compat.
    pub removed: Vec<ClusterStatus>,
    /// Whether more clusters failed than allowed.
    pub breach: bool,
    /// Time until the next deadline or soak time of a cluster in `rollout` ends; absent if none does.
    pub wake_after: Option<SignedDuration>,
    /// The verdict on each cluster of the groups, and on each one that was removed from them.
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

    /// Adds a verdict on each cluster that is in no group. Entries whose name is not a valid cluster name are skipped:
    /// no placement can select them.
    pub(super) fn with_removed(mut self, removed: Vec<ClusterStatus>) -> Self {
        for cluster in removed.iter().filter_map(|status| status.cluster.parse().ok()) {
            // In compat, the clusters of a group that upstream loses are removed too, but already have a verdict.
            self.verdicts.entry(cluster).or_insert(Verdict::Removed);
        }
        self.removed = removed;
        self
    }

    /// Holds back the clusters that may not start.
    fn admitted(mut self, admit: &mut Admit<'_>) -> Self {
        let verdicts = &mut self.verdicts;
        self.rollout.retain(|status| {
            let verdict = status.cluster.parse::<ClusterName>().ok().and_then(|name| verdicts.get_key_value(&name));
            let Some((name, Verdict::Starts)) = verdict else { return true };
            let (name, gate) = (name.clone(), admit(name, &status.group));
            let Some(gate) = gate else { return true };
            verdicts.insert(name, Verdict::Waits(Wait::Gate(Box::new(gate))));
            false
        });
        self
    }

    /// Sets `wake_after` from the clusters in `rollout`.
    pub(super) fn with_wake_after(mut self, now: Timestamp) -> Self {
        let spans = self.rollout.iter().filter_map(|status| status.look_at).map(|at| now.duration_until(at));
        self.wake_after = spans.filter(SignedDuration::is_positive).min();
        self
    }
}

/// Decides which clusters get the new configuration at this moment.
///
/// # Errors
/// A strategy that cannot be parsed: an unknown type, or a malformed deadline, soak time or threshold. Compat reads a setting only
/// when it needs it, so an invalid one may go unnoticed for some time.
pub fn decide(input: &Input<'_>, semantics: Semantics) -> Result<Decision, Error> {
    decide_with(input, semantics, &mut admit_all)
}

/// Decides like [`decide`], and asks `admit` about each cluster that would start. One that may not start waits for its gate, and takes no
/// slot: in strict, the next cluster of its stage starts in its place.
///
/// # Errors
/// Those of [`decide`].
pub fn decide_with(input: &Input<'_>, semantics: Semantics, admit: &mut Admit<'_>) -> Result<Decision, Error> {
    match semantics {
        Semantics::Strict => strict::decide(input, admit),
        Semantics::Compat => Ok(compat::decide(input)?.admitted(admit)),
    }
}
