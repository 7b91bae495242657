//! Rules on starts: which clusters may be assigned new configurations, which configurations, and when.

use super::configs::Configs;
use super::gates::{self, Judging};
use super::placement_state::PlacementState;
use super::progress::{conditions, has_failed};
use super::scenario::Scenario;
use super::snapshot::{Known, Snapshot};
use super::start::{Start, configured};
use super::takeover;
use super::violation::Violation;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::{SignedDuration, Timestamp};

/// Finds the clusters that were assigned different configurations, or that started again.
pub(super) fn found<'a>(addon: &UnitName, after: &'a Snapshot, known: &Known) -> Vec<Start<'a>> {
    let known = known.get(addon);
    let start = |(cluster, observed): (&'a ClusterName, &ManagedClusterAddOn)| {
        let before = known.and_then(|known| known.get(cluster)).filter(|b| b.metadata.uid == observed.metadata.uid);
        let assigned = Configs::assigned(observed);
        let is_same = before.is_some_and(|before| Configs::assigned(before) == assigned);
        let is_managed = after.follows_manager(addon, observed);
        let is_live = observed.metadata.deletion_timestamp.is_none();
        let is_ours = is_live && !is_managed && !after.is_foreign(observed);
        let is_other = !is_same || before.is_some_and(|before| is_restarted(before, observed));
        let is_start = !assigned.0.is_empty() && is_other && is_ours;
        is_start.then(|| Start { cluster, assigned, at: configured(observed) })
    };
    after.on_clusters(addon).map(|(cluster, observed)| (cluster, &**observed)).filter_map(start).collect()
}

/// Returns `true` if a cluster that failed or was late has started again with the same configurations.
fn is_restarted(before: &ManagedClusterAddOn, after: &ManagedClusterAddOn) -> bool {
    let progressing =
        condition::find(conditions(after), key::PROGRESSING).filter(|found| found.reason == "Progressing");
    let restarted = configured(after).filter(|at| progressing.is_some_and(|found| found.last_transition_time.0 == *at));
    let is_later = |at| configured(before).is_none_or(|was| was < at);
    restarted.is_some_and(is_later) && has_failed(conditions(before)) && !has_failed(conditions(after))
}

/// Returns the latest time at which the starts may have happened, on the clock of `after`.
pub(super) fn until<'a>(starts: impl Iterator<Item = &'a Start<'a>>, before: &Snapshot, after: &Snapshot) -> Timestamp {
    // Times in statuses have a resolution of one second.
    let second = SignedDuration::from_nanos(999_999_999);
    let recorded = |start: &Start<'_>| Some(after.on_clock(start.at?.checked_add(second).ok()?));
    let ends = starts.map(|start| recorded(start).unwrap_or(after.now));
    ends.max().unwrap_or(after.now).min(after.now).max(after.on_clock(before.now))
}

/// Returns the rules that a start breaks in this scenario.
pub(super) fn violations(
    scenario: &Scenario<'_>,
    states: &[Option<PlacementState<'_>>],
    judging: Option<&Judging<'_>>,
    start: &Start<'_>,
) -> Vec<Violation> {
    let is_by_hand = scenario.declared.placements.is_none();
    if !is_by_hand && !scenario.is_known() {
        return Vec::new();
    }
    let owner = scenario.owner(start.cluster);
    if !is_by_hand && owner.is_none() {
        let (addon, cluster) = (scenario.addon().clone(), start.cluster.clone());
        return vec![match scenario.contested.contains(start.cluster) {
            true => Violation::Contested { addon, cluster },
            false => Violation::NotSelected { addon, cluster },
        }];
    }
    let mut found: Vec<Violation> = wrong_configuration(scenario, owner, start).into_iter().collect();
    let state = owner.and_then(|owner| states.get(owner)?.as_ref());
    found.extend(state.into_iter().flat_map(|state| state.violations(start.cluster)));
    found.extend(takeover::violation(scenario.span(), start));
    found.extend(owner.and_then(|owner| step_ahead(scenario, states, owner, start)));
    found.extend(judging.into_iter().flat_map(|judging| gates::violations(scenario, judging, owner, start)));
    found
}

/// Returns the violation if a placement of an earlier step is not through. Clusters go back to the last good digest without an order of steps.
fn step_ahead(
    scenario: &Scenario<'_>,
    states: &[Option<PlacementState<'_>>],
    owner: usize,
    start: &Start<'_>,
) -> Option<Violation> {
    let own = scenario.placement(owner)?.step;
    let is_earlier = |index: &usize| scenario.placement(*index).is_some_and(|placement| placement.step < own);
    let mut earlier = (0..states.len()).filter(is_earlier).filter(|_| !scenario.declared.rolls_back);
    let open = |index: usize| {
        // A placement whose strategy cannot be read is never through.
        let unfinished = states.get(index)?.as_ref().map_or(1, PlacementState::not_over);
        let ahead = scenario.placement(index)?.name.clone();
        let (addon, cluster) = (scenario.addon().clone(), start.cluster.clone());
        (unfinished > 0).then_some(Violation::StepNotThrough { addon, cluster, ahead, unfinished })
    };
    earlier.find_map(open)
}

fn wrong_configuration(scenario: &Scenario<'_>, owner: Option<usize>, start: &Start<'_>) -> Option<Violation> {
    let (addon, cluster) = (scenario.addon().clone(), start.cluster.clone());
    let [by_before, by_after] = scenario.desired(owner, start.cluster);
    if start.assigned != by_before && start.assigned != by_after {
        return Some(Violation::WrongConfiguration {
            addon,
            cluster,
            assigned: start.assigned.clone(),
            declared: by_after,
        });
    }
    let unknown = start.assigned.unknown();
    (!unknown.0.is_empty()).then_some(Violation::UnknownConfiguration { addon, cluster, unknown })
}
