//! Upstream's two procedures: cluster by cluster inside a window, and group by group.

use std::collections::{HashMap, HashSet};

use crate::rollout::group::Group;
use crate::rollout::patience::{Class, Patience};
use crate::rollout::threshold::Threshold;
use crate::rollout::{ClusterStatus, Decision, Status};

/// What both procedures look at.
pub(super) struct Procedure<'a> {
    pub(super) patience: Patience,
    /// The given statuses of clusters that some group holds, in the order of the input.
    pub(super) current: Vec<&'a ClusterStatus>,
}

impl Procedure<'_> {
    /// Takes the clusters by name, up to `size` at a time, until more than `max_failures` failed.
    ///
    /// The walk over the given clusters ends as soon as the window is full: failures behind that point go unseen.
    pub(super) fn per_cluster(&self, groups: &[&Group<'_>], size: usize, max_failures: usize) -> Decision {
        let mut decision = Decision::default();
        let mut sorted = self.current.clone();
        sorted.sort_by(|a, b| a.cluster.cmp(&b.cluster));
        let mut failures = 0;
        for given in &sorted {
            if !decision.breach || given.status != Status::ToApply {
                self.record(given, &mut decision);
            }
            if self.is_failure(given) {
                failures += 1;
                decision.breach = failures > max_failures;
            }
            if decision.rollout.len() >= size {
                return decision.with_recheck(self.patience.now);
            }
        }
        if !decision.breach {
            let given: HashSet<&str> = sorted.iter().map(|status| status.cluster.as_str()).collect();
            let members = groups.iter().flat_map(|group| group.clusters.iter().map(|cluster| (*cluster, &group.key)));
            let mut fresh: Vec<_> = members.filter(|(cluster, _)| !given.contains(cluster.as_str())).collect();
            fresh.sort_by_key(|(cluster, _)| *cluster);
            fresh.dedup_by_key(|(cluster, _)| *cluster);
            let free = size.saturating_sub(decision.rollout.len());
            let starts =
                fresh.into_iter().take(free).map(|(cluster, key)| ClusterStatus::to_apply(cluster.as_str(), key));
            decision.rollout.extend(starts);
        }
        decision.with_recheck(self.patience.now)
    }

    /// Takes the groups one after the other, each as a whole, until more of one group failed than may.
    ///
    /// Clusters of all groups are in the rollout, and the failures of the groups walked so far are taken off its length
    /// although those that timed out are not in it: a tolerated time-out makes room for the next group.
    pub(super) fn per_group(&self, groups: &[&Group<'_>], max_failures: Threshold) -> Decision {
        let mut decision = Decision::default();
        let mut known: HashMap<&str, bool> = HashMap::with_capacity(self.current.len());
        for given in self.current.iter().filter(|status| status.status != Status::ToApply) {
            self.record(given, &mut decision);
            known.insert(&given.cluster, self.is_failure(given));
        }
        let mut failures = 0;
        for group in groups {
            let allowed = at_most(max_failures, group.clusters.len(), 0);
            let mut failed = 0;
            for cluster in &group.clusters {
                match known.get(cluster.as_str()) {
                    Some(failure) => failed += usize::from(*failure),
                    None => decision.rollout.push(ClusterStatus::to_apply(cluster.as_str(), &group.key)),
                }
            }
            failures += failed;
            decision.breach = failed > allowed;
            if decision.breach || decision.rollout.len() > failures {
                break;
            }
        }
        decision.with_recheck(self.patience.now)
    }

    fn record(&self, given: &ClusterStatus, decision: &mut Decision) {
        match self.patience.classify(given.status, given.last_transition) {
            Class::Waiting => decision.rollout.push(given.clone()),
            Class::Underway { recheck } => decision.rollout.push(given.underway(recheck)),
            Class::TimedOut { deadline } => decision.timed_out.push(given.timed_out(deadline)),
            Class::Closed => {}
        }
    }

    /// Returns whether the cluster counts against the failure budget.
    pub(super) fn is_failure(&self, given: &ClusterStatus) -> bool {
        matches!(given.status, Status::Failed | Status::TimeOut)
            || matches!(self.patience.classify(given.status, given.last_transition), Class::TimedOut { .. })
    }
}

/// Returns the threshold as a number of `total` clusters; `default` for one that is not positive or above the total.
pub(super) fn at_most(threshold: Threshold, total: usize, default: usize) -> usize {
    match usize::try_from(threshold.of(total)) {
        Ok(count) if (1..=total).contains(&count) => count,
        _ => default,
    }
}
