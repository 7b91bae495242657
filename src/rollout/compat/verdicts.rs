//! What upstream's decision means for each cluster. Upstream gives no reasons; these are read off its rules afterwards.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::model::name::ClusterName;
use crate::rollout::compat::procedure::Procedure;
use crate::rollout::group::Group;
use crate::rollout::patience::Class;
use crate::rollout::threshold::Threshold;
use crate::rollout::{ClusterStatus, Decision, Status, Verdict, Wait};

/// Which of upstream's rules decided.
#[derive(Debug, Clone, Copy)]
pub(super) enum Phase {
    /// The mandatory groups, one after the other.
    Mandatory,
    /// Cluster by cluster: so many at a time, until more than so many failed.
    Window { allowed: usize, max_failures: usize },
    /// The other groups, one after the other, until more than so many of one failed.
    Groups { max_failures: Threshold },
}

/// What the verdicts are read off.
pub(super) struct Verdicts<'a> {
    pub(super) phase: Phase,
    pub(super) procedure: &'a Procedure<'a>,
    pub(super) decision: &'a Decision,
    /// The groups that were walked in this phase, in order.
    pub(super) walked: Vec<&'a Group<'a>>,
    /// The groups that upstream's walk over the indexes reaches.
    pub(super) reached: HashSet<i32>,
}

impl Verdicts<'_> {
    /// Returns the verdict on each cluster of the groups.
    pub(super) fn of(&self, groups: &[Group<'_>]) -> BTreeMap<ClusterName, Verdict> {
        let given = first_of_each(self.procedure.current.iter().copied());
        let rollout = first_of_each(&self.decision.rollout);
        let closed = self.closed(&given);
        let verdict = |group: &Group<'_>, cluster: &ClusterName| {
            if let Some(status) = rollout.get(cluster.as_str()) {
                return under_way(status.status, status.recheck);
            }
            match given.get(cluster.as_str()).filter(|given| given.status != Status::ToApply) {
                Some(given) => match self.procedure.patience.classify(given.status, given.last_transition) {
                    Class::TimedOut { .. } => Verdict::TimedOut,
                    Class::Underway { recheck } => under_way(given.status, recheck),
                    Class::Closed | Class::Waiting => settled(given.status),
                },
                None if !self.reached.contains(&group.key.index) => {
                    Verdict::Waits(Wait::IndexGap { group: group.key.clone() })
                }
                None => Verdict::Waits(closed.clone()),
            }
        };
        let all = groups.iter().flat_map(|group| group.clusters.iter().map(move |cluster| (group, *cluster)));
        // A cluster of several groups is decided upon once; the last entry would win, and all are the same but for a gap.
        let mut verdicts: Vec<_> = all.map(|(group, cluster)| (cluster.clone(), verdict(group, cluster))).collect();
        verdicts.sort_by(|a, b| a.0.cmp(&b.0));
        verdicts.dedup_by(|later, kept| later.0 == kept.0);
        verdicts.into_iter().collect()
    }

    /// Returns what the clusters wait for that did not start.
    fn closed(&self, given: &Statuses<'_>) -> Wait {
        let busy = self.decision.rollout.iter().filter(|status| status.status != Status::ToApply).count();
        let timed_out = self.decision.timed_out.len();
        let failed = |group: &Group<'_>| {
            let statuses = group.clusters.iter().filter_map(|cluster| given.get(cluster.as_str()));
            statuses.filter(|status| self.procedure.is_failure(status)).count()
        };
        let unfinished = |group: &Group<'_>| group.clusters.iter().filter(|c| self.is_unfinished(c, given)).count();
        let mut walked = self.walked.iter().map(|group| (&group.key, failed(group), unfinished(group), group));
        match self.phase {
            Phase::Mandatory => {
                let group = walked.find(|(_, failed, unfinished, _)| failed + unfinished > 0);
                match group {
                    Some((key, failed, ..)) if self.decision.breach => {
                        Wait::FailureBudget { group: Some(key.clone()), failed, allowed: 0 }
                    }
                    Some((key, _, unfinished, _)) => Wait::MandatoryGroup { group: key.clone(), unfinished },
                    None => Wait::OthersBusy { busy: busy + timed_out },
                }
            }
            Phase::Window { max_failures, .. } if self.decision.breach => {
                let failed = given.values().filter(|status| self.procedure.is_failure(status)).count();
                Wait::FailureBudget { group: None, failed, allowed: max_failures }
            }
            Phase::Window { allowed, .. } => Wait::Slot { in_flight: self.decision.rollout.len(), allowed },
            Phase::Groups { max_failures } => {
                let allowed = |group: &Group<'_>| super::procedure::at_most(max_failures, group.clusters.len(), 0);
                let spent = walked.clone().find(|(_, failed, _, group)| *failed > allowed(group));
                if let Some((key, failed, _, group)) = spent.filter(|_| self.decision.breach) {
                    return Wait::FailureBudget { group: Some(key.clone()), failed, allowed: allowed(group) };
                }
                match walked.find(|(_, _, unfinished, _)| *unfinished > 0) {
                    Some((key, _, unfinished, _)) => Wait::Group { group: key.clone(), unfinished },
                    None => Wait::OthersBusy { busy: busy + timed_out },
                }
            }
        }
    }

    fn is_unfinished(&self, cluster: &ClusterName, given: &Statuses<'_>) -> bool {
        let Some(given) = given.get(cluster.as_str()) else { return true };
        let class = self.procedure.patience.classify(given.status, given.last_transition);
        matches!(class, Class::Waiting | Class::Underway { .. })
    }
}

/// Statuses by the name of their cluster.
type Statuses<'a> = HashMap<&'a str, &'a ClusterStatus>;

/// Returns the statuses by name; of several of one cluster, the first one counts.
fn first_of_each<'a>(statuses: impl IntoIterator<Item = &'a ClusterStatus>) -> Statuses<'a> {
    let mut by_name = Statuses::new();
    for status in statuses {
        by_name.entry(&status.cluster).or_insert(status);
    }
    by_name
}

/// Returns the verdict on a cluster that is in the rollout.
fn under_way(status: Status, recheck: Option<crate::model::time::Timestamp>) -> Verdict {
    match status {
        Status::ToApply => Verdict::Starts,
        Status::Succeeded => Verdict::Soaks { until: recheck },
        Status::Failed => Verdict::Failed { deadline: recheck },
        Status::Progressing | Status::TimeOut | Status::Skip => Verdict::Underway { deadline: recheck },
    }
}

/// Returns the verdict on a cluster of which nothing more is expected.
fn settled(status: Status) -> Verdict {
    match status {
        Status::TimeOut => Verdict::TimedOut,
        Status::Skip => Verdict::Skipped,
        _ => Verdict::Done,
    }
}
