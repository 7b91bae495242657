//! Upstream's two procedures: cluster by cluster inside a window, and group by group.

use crate::cluster_index::ClusterIndex;
use crate::group::Group;
use crate::threshold::Threshold;
use crate::timing::{Class, Timing};
use crate::{ClusterStatus, Decision, GroupKey, Status};
use tidegate_model::time::Timestamp;

/// The given status of a cluster that is in a group.
pub(super) struct Known<'a> {
    /// The number of the cluster.
    pub(super) number: usize,
    given: &'a ClusterStatus,
    /// Copied, because most walks need nothing else of `given`, and in the order of names `given` is scattered over
    /// memory.
    pub(super) status: Status,
    pub(super) class: Class,
}

impl<'a> Known<'a> {
    pub(super) fn new(number: usize, given: &'a ClusterStatus, timing: &Timing) -> Self {
        let class = timing.classify(given.status, given.last_transition);
        Self { number, given, status: given.status, class }
    }

    /// Returns `true` if the cluster counts against the failure budget.
    pub(super) fn is_failure(&self) -> bool {
        matches!(self.status, Status::Failed | Status::TimeOut) || matches!(self.class, Class::TimedOut { .. })
    }
}

/// The input of both procedures.
pub(super) struct Procedure<'a> {
    pub(super) now: Timestamp,
    pub(super) index: &'a ClusterIndex<'a>,
    /// The known clusters, by their index in the input; `None` for one that is in no group.
    pub(super) current: Vec<Option<Known<'a>>>,
}

/// A decision under construction.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) decision: Decision,
    /// The numbers of the clusters in the rollout list, in its order.
    pub(super) numbers: Vec<usize>,
}

impl Draft {
    fn roll_out(&mut self, number: usize, status: ClusterStatus) {
        self.numbers.push(number);
        self.decision.rollout.push(status);
    }

    fn record(&mut self, &Known { number, given, class, .. }: &Known<'_>) {
        match class {
            Class::Waiting => self.roll_out(number, given.clone()),
            Class::Underway { look_at } => self.roll_out(number, given.underway(look_at)),
            Class::TimedOut { deadline } => self.decision.timed_out.push(given.timed_out(deadline)),
            Class::Closed => {}
        }
    }
}

impl<'a> Procedure<'a> {
    /// Returns the known clusters, in the order of the input.
    pub(super) fn known(&self) -> impl DoubleEndedIterator<Item = &Known<'a>> {
        self.current.iter().flatten()
    }

    /// Processes the clusters by name, up to `size` at a time, until more than `max_failures` failed.
    ///
    /// The walk over the given clusters ends as soon as the window is full: failures after that point are not seen.
    pub(super) fn per_cluster(&self, groups: &[&Group], size: usize, max_failures: usize) -> Draft {
        let mut draft = Draft::default();
        let mut failures = 0;
        for known in self.index.by_name.iter().filter_map(|place| self.current.get(*place)?.as_ref()) {
            if !draft.decision.breach || known.status != Status::ToApply {
                draft.record(known);
            }
            if known.is_failure() {
                failures += 1;
                draft.decision.breach = failures > max_failures;
            }
            if draft.decision.rollout.len() >= size {
                return self.with_wake_after(draft);
            }
        }
        if !draft.decision.breach {
            let is_given = self.index.by_number(self.known().map(|known| (known.number, ())));
            let groups = self.index.by_number(members(groups));
            let fresh = groups.into_iter().zip(is_given).enumerate().filter(|(_, (_, given))| given.is_none());
            let free = size.saturating_sub(draft.decision.rollout.len());
            for (number, key) in fresh.filter_map(|(number, (key, _))| Some((number, key?))).take(free) {
                draft.roll_out(number, ClusterStatus::to_apply(self.index.name(number), key));
            }
        }
        self.with_wake_after(draft)
    }

    /// Processes the groups one after the other, each as a whole, until more clusters of one group failed than allowed.
    ///
    /// The rollout holds clusters of all groups. The failures of the groups walked so far are subtracted from its
    /// length, although clusters that timed out are not in it: a tolerated timeout makes room for the next group.
    pub(super) fn per_group(&self, groups: &[&Group], max_failures: Threshold) -> Draft {
        let mut draft = Draft::default();
        let started = || self.known().filter(|known| known.status != Status::ToApply);
        started().for_each(|known| draft.record(known));
        // If a cluster has several statuses, the last one counts here.
        let is_failure = self.index.by_number(started().rev().map(|known| (known.number, known.is_failure())));
        let mut failures = 0;
        for group in groups {
            let allowed = at_most(max_failures, group.members.len(), 0);
            let mut failed = 0;
            for number in &group.members {
                match is_failure.get(*number).copied().flatten() {
                    Some(failure) => failed += usize::from(failure),
                    None => {
                        let status = ClusterStatus::to_apply(self.index.name(*number), &group.key);
                        draft.roll_out(*number, status);
                    }
                }
            }
            failures += failed;
            draft.decision.breach = failed > allowed;
            if draft.decision.breach || draft.decision.rollout.len() > failures {
                break;
            }
        }
        self.with_wake_after(draft)
    }

    fn with_wake_after(&self, draft: Draft) -> Draft {
        Draft { decision: draft.decision.with_wake_after(self.now), ..draft }
    }
}

/// Returns the threshold as a number of clusters; `default` if that number is not positive or above `total`.
pub(super) fn at_most(threshold: Threshold, total: usize, default: usize) -> usize {
    match usize::try_from(threshold.of(total)) {
        Ok(count) if (1..=total).contains(&count) => count,
        _ => default,
    }
}

/// Returns the clusters of groups by their numbers, each with the key of its group.
pub(super) fn members<'a>(groups: &'a [&'a Group]) -> impl Iterator<Item = (usize, &'a GroupKey)> {
    groups.iter().flat_map(|group| group.members.iter().map(|number| (*number, &group.key)))
}
