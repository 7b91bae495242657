//! What upstream's decision means for each cluster. Upstream gives no reasons; these are derived from its rules
//! afterwards.

use std::collections::{BTreeMap, HashSet};

use crate::compat::procedure::{Draft, Known, Procedure, at_most, members};
use crate::compat::tracker::Tracker;
use crate::group::Group;
use crate::threshold::Threshold;
use crate::timing::Class;
use crate::{Status, Verdict, Wait};
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// Which of upstream's rules decided.
#[derive(Debug, Clone, Copy)]
pub(super) enum Phase {
    /// The mandatory groups, one after the other.
    Mandatory,
    /// Cluster by cluster: `allowed` at a time, until more than `max_failures` failed.
    Window { allowed: usize, max_failures: usize },
    /// The other groups, one after the other, until more than `max_failures` of one group failed.
    Groups { max_failures: Threshold },
}

/// What the verdicts are derived from.
pub(super) struct Verdicts<'a> {
    pub(super) phase: Phase,
    pub(super) procedure: &'a Procedure<'a>,
    pub(super) draft: &'a Draft,
    /// The groups that were walked in this phase, in order.
    pub(super) walked: &'a [&'a Group],
}

impl Verdicts<'_> {
    /// Returns the verdict on each cluster of the groups.
    pub(super) fn of(&self) -> BTreeMap<ClusterName, Verdict> {
        let index = self.procedure.index;
        let known = index.by_number(self.procedure.known().map(|known| (known.number, known)));
        let statuses = self.draft.decision.rollout.iter().map(|status| (status.status, status.look_at));
        let rollout = index.by_number(self.draft.numbers.iter().copied().zip(statuses));
        let closed = self.closed(&known);
        let groups: Vec<&Group> = index.groups.iter().collect();
        let reached: HashSet<i32> = Tracker(&index.groups).groups_except(&[]).iter().map(|g| g.key.index).collect();
        // A cluster in several groups is decided with the first of them.
        let seats = index.by_number(members(&groups)).into_iter().zip(rollout).zip(known);
        let verdicts = seats.map(|((group, rollout), known)| match (rollout, known) {
            (Some((status, look_at)), _) => under_way(status, look_at),
            (None, Some(Known { status, class, .. })) if *status != Status::ToApply => match class {
                Class::TimedOut { .. } => Verdict::TimedOut,
                Class::Underway { look_at } => under_way(*status, *look_at),
                Class::Closed | Class::Waiting => settled(*status),
            },
            (None, _) => match group.filter(|group| !reached.contains(&group.index)) {
                Some(group) => Verdict::Waits(Wait::IndexGap { group: group.clone() }),
                None => Verdict::Waits(closed.clone()),
            },
        });
        index.clusters.iter().map(|cluster| (*cluster).clone()).zip(verdicts).collect()
    }

    /// Returns what the clusters that did not start wait for.
    fn closed(&self, known: &[Option<&Known<'_>>]) -> Wait {
        let busy = self.draft.decision.rollout.iter().filter(|status| status.status != Status::ToApply).count();
        let timed_out = self.draft.decision.timed_out.len();
        let known_of = |number: &usize| known.get(*number).copied().flatten();
        let failed =
            |group: &Group| group.members.iter().filter_map(known_of).filter(|known| known.is_failure()).count();
        let unfinished = |group: &Group| group.members.iter().filter(|n| is_unfinished(known_of(n))).count();
        let mut walked = self.walked.iter().map(|group| (&group.key, failed(group), unfinished(group), group));
        match self.phase {
            Phase::Mandatory => {
                let group = walked.find(|(_, failed, unfinished, _)| failed + unfinished > 0);
                match group {
                    Some((key, failed, ..)) if self.draft.decision.breach => {
                        Wait::MandatoryFailure { group: key.clone(), failed, late: Vec::new(), may_recover: true }
                    }
                    Some((key, _, unfinished, _)) => Wait::MandatoryGroup { group: key.clone(), unfinished },
                    None => Wait::OthersBusy { busy: busy + timed_out },
                }
            }
            Phase::Window { max_failures, .. } if self.draft.decision.breach => {
                let failed = known.iter().flatten().filter(|known| known.is_failure()).count();
                Wait::FailureBudget { group: None, failed, allowed: max_failures }
            }
            Phase::Window { allowed, .. } => Wait::Slot { in_flight: self.draft.decision.rollout.len(), allowed },
            Phase::Groups { max_failures } => {
                let allowed = |group: &Group| at_most(max_failures, group.members.len(), 0);
                let spent = walked.clone().find(|(_, failed, _, group)| *failed > allowed(group));
                if let Some((key, failed, _, group)) = spent.filter(|_| self.draft.decision.breach) {
                    return Wait::FailureBudget { group: Some(key.clone()), failed, allowed: allowed(group) };
                }
                match walked.find(|(_, _, unfinished, _)| *unfinished > 0) {
                    Some((key, _, unfinished, _)) => Wait::Group { group: key.clone(), unfinished },
                    None => Wait::OthersBusy { busy: busy + timed_out },
                }
            }
        }
    }
}

fn is_unfinished(known: Option<&Known<'_>>) -> bool {
    known.is_none_or(|known| matches!(known.class, Class::Waiting | Class::Underway { .. }))
}

/// Returns the verdict on a cluster that is in the rollout.
fn under_way(status: Status, look_at: Option<Timestamp>) -> Verdict {
    match status {
        Status::ToApply => Verdict::Starts,
        Status::Succeeded => Verdict::Soaks { until: look_at },
        Status::Failed => Verdict::Failed { deadline: look_at },
        Status::Progressing | Status::TimeOut | Status::Skip => Verdict::Underway { deadline: look_at },
    }
}

/// Returns the verdict on a cluster from which nothing more is expected.
fn settled(status: Status) -> Verdict {
    match status {
        Status::TimeOut => Verdict::TimedOut,
        Status::Skip => Verdict::Skipped,
        _ => Verdict::Done,
    }
}
