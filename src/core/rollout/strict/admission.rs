//! Decides which clusters may start: first checks what blocks the whole rollout, then goes stage by stage.

use crate::cluster_index::ClusterIndex;
use crate::group::Group;
use crate::strict::stage::{Member, Scope, Stage, Standing, stages};
use crate::strict::strategy::Strategy;
use crate::{Admit, ClusterStatus, Decision, Error, GroupKey, Input, Wait};
use tidegate_model::time::Timestamp;

/// Decides by Tidegate's own safe rules.
pub(crate) fn decide(input: &Input<'_>, admit: &mut Admit<'_>) -> Result<Decision, Error> {
    let strategy = Strategy::read(input)?;
    let index = ClusterIndex::new(input.groups, input.existing);
    let stages = stages(&strategy, &index);
    let mut flight = Flight::of(&stages);
    let budget = spent_budget(&strategy, &stages).filter(|_| !input.tolerates_failures);
    let mut decision = Decision { breach: budget.is_some(), ..Decision::default() };
    let mut verdicts = vec![None; index.clusters.len()];
    // What closes one stage closes all later ones, so the first reason is the one to give.
    let mut closed = unknown_mandatory_group(&strategy, &index.groups).or(budget);
    for mut stage in stages {
        let reason = match &closed {
            Some(reason) => Some(reason.clone()),
            None => flight.open(&mut stage, &strategy, admit),
        };
        closed = closed.or_else(|| stage.holds());
        for member in stage.members {
            let verdict = member.verdict(reason.as_ref());
            let Member { number, cluster, group, standing, .. } = member;
            if let Some(slot) = verdicts.get_mut(number) {
                *slot = verdict.map(|verdict| (cluster.clone(), verdict));
            }
            match standing {
                Standing::Starting => decision.rollout.push(ClusterStatus::to_apply(cluster.as_str(), group)),
                Standing::Underway { given, look_at } => decision.rollout.push(given.underway(look_at).of(group)),
                Standing::Expired { given, deadline } => decision.timed_out.push(given.timed_out(deadline).of(group)),
                Standing::Waiting { .. } | Standing::Closed(_) => {}
            }
        }
    }
    decision.verdicts = verdicts.into_iter().flatten().collect();
    let given = index.by_name.iter().filter_map(|place| index.given.get(*place));
    let removed = given.filter(|(number, _)| number.is_none()).map(|(_, status)| (*status).clone()).collect();
    Ok(decision.with_removed(removed).with_wake_after(input.now))
}

/// Returns the first entry of the strategy that names no group with clusters, if there is one.
fn unknown_mandatory_group(strategy: &Strategy<'_>, groups: &[Group]) -> Option<Wait> {
    let is_known = |asked| groups.iter().any(|group| group.is(asked) && !group.members.is_empty());
    let unknown = strategy.mandatory.iter().find(|asked| !is_known(asked))?;
    Some(Wait::UnknownMandatoryGroup { group: unknown.clone() })
}

/// Returns `true` if an entry of the strategy names no group with clusters.
pub(super) fn has_unknown_mandatory_group(strategy: &Strategy<'_>, groups: &[Group]) -> bool {
    unknown_mandatory_group(strategy, groups).is_some()
}

/// Returns the first failure budget that is exceeded. No cluster of a mandatory group may fail; `maxFailures` applies
/// to each other group if the strategy goes by group, otherwise to all clusters together.
///
/// A cluster of a mandatory group that succeeded only after its deadline counts as a failure, as long as there is a
/// cluster to hold back.
fn spent_budget(strategy: &Strategy<'_>, stages: &[Stage<'_>]) -> Option<Wait> {
    let spent = |group, failed, allowed| (failed > allowed).then_some(Wait::FailureBudget { group, failed, allowed });
    let is_anyone_waiting = stages.iter().any(Stage::waits);
    let mandatory = |group: &GroupKey, stage: &Stage<'_>| {
        let late = if is_anyone_waiting { stage.late() } else { Vec::new() };
        let failed = stage.failed() + late.len();
        let group = group.clone();
        (failed > 0).then_some(Wait::MandatoryFailure { group, failed, late, may_recover: false })
    };
    let of_group = stages.iter().find_map(|stage| match stage.scope {
        Scope::Mandatory(group) => mandatory(group, stage),
        Scope::Group(group) => {
            spent(Some(group.clone()), stage.failed(), strategy.failures_allowed(stage.members.len()))
        }
        Scope::Rest => None,
    });
    if strategy.by_group() || of_group.is_some() {
        return of_group;
    }
    let total = stages.iter().map(|stage| stage.members.len()).sum();
    spent(None, stages.iter().map(Stage::failed).sum(), strategy.failures_allowed(total))
}

/// The clusters that are under way, in all stages: each takes one slot.
struct Flight {
    count: usize,
    /// When the soak times of the soaking ones end, in ascending order.
    soak_ends: Vec<Timestamp>,
}

impl Flight {
    fn of(stages: &[Stage<'_>]) -> Self {
        let mut soak_ends: Vec<_> = stages.iter().flat_map(Stage::soak_ends).collect();
        soak_ends.sort_unstable();
        Self { count: stages.iter().map(Stage::in_flight).sum(), soak_ends }
    }

    /// Starts as many clusters as there are free slots, and returns what the rest of the stage waits for.
    fn open(&mut self, stage: &mut Stage<'_>, strategy: &Strategy<'_>, admit: &mut Admit<'_>) -> Option<Wait> {
        let Some(allowed) = strategy.concurrency(stage.members.len()) else {
            self.count += stage.start(usize::MAX, admit);
            return None;
        };
        if allowed == 0 {
            return Some(Wait::NoConcurrency);
        }
        self.count += stage.start(allowed.saturating_sub(self.count), admit);
        let all_soak = self.soak_ends.len() == self.count;
        // The slot becomes free when at most `allowed - 1` clusters are still soaking.
        let until = self.soak_ends.get(self.count.saturating_sub(allowed)).filter(|_| all_soak);
        Some(match until {
            Some(until) => Wait::Soak { until: *until },
            None => Wait::Slot { in_flight: self.count, allowed },
        })
    }
}
