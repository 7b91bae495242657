//! Removing an add-on from clusters: a rollout with an order, a concurrency limit, reasons and a brake.
//!
//! A cluster loses an add-on because a Placement or a label was edited, or because the add-on left the repository. The clusters
//! lose it in their last known groups, in the order of the strategy of their placement; `maxConcurrency`, `progressDeadline` and
//! `maxFailures` apply as they do to an upgrade. By default the clusters that get the add-on in the same change must be healthy
//! first. In compat all clusters lose it at once, as in upstream.

use std::collections::{BTreeMap, BTreeSet};

use super::brake;
use super::brake::brake;
use super::data;
use crate::input::Input;
use crate::moves;
use crate::occupants::Occupants;
use crate::report::departure::Departure;
use crate::report::hold::Hold;
use crate::report::obstacle::Obstacle;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::rollout_strategy::{MandatoryDecisionGroup, RolloutStrategy};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::{SignedDuration, Timestamp, sooner, to_seconds};
use tidegate_rollout::{ClusterStatus, Status, Verdict};

/// Returns since when a cluster should not have an add-on, according to the last report; now if that report does not list it as leaving.
pub(crate) fn unwanted_since(input: &Input<'_>, addon: &UnitName, cluster: &ClusterName) -> Timestamp {
    let before = input.past.cluster(addon, cluster).filter(|report| report.state == ClusterState::Leaving);
    before.and_then(|report| report.since).unwrap_or_else(|| to_seconds(input.now))
}

/// The input of a decision about removals.
#[derive(Debug)]
pub(crate) struct Leaving<'a> {
    /// The add-on.
    pub addon: &'a UnitName,
    /// The strategies of its placements by `namespace/name`, in order.
    pub strategies: &'a [(String, RolloutStrategy)],
    /// The clusters that have it but should not, each with its ManagedClusterAddOn.
    pub clusters: BTreeMap<&'a ClusterName, &'a ManagedClusterAddOn>,
    /// How many clusters have it.
    pub total: usize,
    /// The objects of all units.
    pub occupants: &'a Occupants<'a>,
    /// What keeps the add-on on all of them.
    pub obstacle: Option<Obstacle>,
}

/// What happens to the clusters of an add-on that should not have it.
#[derive(Debug, Default)]
pub(super) struct Departures {
    /// What happens to each.
    pub clusters: BTreeMap<ClusterName, Departure>,
    /// The hold, if the brake applies.
    pub hold: Option<Hold>,
    /// When time alone changes a decision.
    pub look_at: Option<Timestamp>,
}

/// Decides which clusters lose an add-on now.
pub(super) fn departures(input: &Input<'_>, leaving: &Leaving<'_>) -> Departures {
    let going: BTreeSet<String> = leaving.clusters.keys().map(ToString::to_string).collect();
    if going.is_empty() {
        return Departures::default();
    }
    let before = input.past.report.addons.get(leaving.addon).and_then(|report| report.removal.as_ref());
    let removal = brake::Removal {
        going,
        total: leaving.total,
        limits: &input.repository.settings.prune,
        counts_clusters: true,
        revision: input.revision,
    };
    let hold = brake(&removal, before);
    let held = hold.as_ref().filter(|hold| hold.is_open()).map(|hold| Obstacle::Brake(hold.clone()));
    let mut departures = Departures { hold, ..Departures::default() };
    let settled = settled(input, leaving).filter(|until| *until > input.now);
    departures.look_at = settled;
    let settling = settled.map(|until| Obstacle::Settling { until });
    match held.or_else(|| leaving.obstacle.clone()).or(settling) {
        Some(obstacle) => {
            let departure = |addon: &ManagedClusterAddOn| match addon.metadata.deletion_timestamp {
                Some(_) => Departure::Deleting { deadline: None },
                None => Departure::Waits(obstacle.clone()),
            };
            let clusters = leaving.clusters.iter();
            departures.clusters = clusters.map(|(name, addon)| ((*name).clone(), departure(addon))).collect();
        }
        None => in_order(input, leaving, &mut departures),
    }
    departures
}

/// Returns when the set of clusters that are to lose an add-on will have stayed the same for long enough.
///
/// A person who changes labels one by one, and a scheduler that processes one Placement after the other, deselect clusters step by
/// step. The brake must see all of them before the first one loses the add-on.
fn settled(input: &Input<'_>, leaving: &Leaving<'_>) -> Option<Timestamp> {
    let settling = SignedDuration::from_secs(i64::from(input.repository.settings.prune.settle_seconds));
    let is_going = |name: &ClusterName, addon: &ManagedClusterAddOn| {
        let before = input.past.cluster(leaving.addon, name);
        addon.metadata.deletion_timestamp.is_some()
            || before.is_some_and(|report| report.state == ClusterState::Removing)
    };
    let waiting = leaving.clusters.iter().filter(|(name, addon)| !is_going(name, addon));
    let since = |name| input.adjusted(unwanted_since(input, leaving.addon, name));
    waiting.filter_map(|(name, _)| since(name).checked_add(settling).ok()).max()
}

/// Returns the clusters with an object of a unit that left the repository that another unit is to have, and does not have yet.
fn moved<'a>(input: &'a Input<'_>, leaving: &'a Leaving<'_>) -> impl Iterator<Item = (ClusterName, Departure)> + 'a {
    let unit = leaving.addon;
    let has_left = unit.addon().is_none() && !input.repository.addons.contains_key(unit);
    let pending = |cluster| moves::pending(input, leaving.occupants, unit, cluster);
    let clusters = leaving.clusters.keys().filter(move |_| has_left);
    clusters.filter_map(move |cluster| {
        Some(((*cluster).clone(), Departure::Waits(Obstacle::Moves(Box::new(pending(cluster)?)))))
    })
}

/// Clusters where something would be deleted that has to stay take no slot, so that one that does not answer holds up no other.
fn in_order(input: &Input<'_>, leaving: &Leaving<'_>, departures: &mut Departures) {
    let lost =
        leaving.clusters.keys().filter_map(|name| Some(((*name).clone(), data::lost(input, leaving.addon, name)?)));
    let waits = |object| Departure::Waits(Obstacle::Data { object: Box::new(object) });
    departures.clusters.extend(lost.map(|(name, object)| (name, waits(object))));
    departures.clusters.extend(moved(input, leaving));
    let ready = leaving.clusters.iter().filter(|(name, _)| !departures.clusters.contains_key(**name));
    let ready = ready.map(|(name, addon)| (*name, *addon)).collect();
    let leaving = &Leaving { clusters: ready, obstacle: None, ..*leaving };
    let rules = input.repository.settings.rules();
    for (placement, strategy) in strategies(leaving) {
        let groups = groups(input, leaving, placement);
        if groups.is_empty() {
            continue;
        }
        let existing: Vec<ClusterStatus> = groups
            .iter()
            .flat_map(|group| &group.clusters)
            .filter_map(|name| Some(input.seen(status(name, leaving.clusters.get(name)?))))
            .collect();
        let strategy = for_removal(strategy, &groups);
        let engine = tidegate_rollout::Input {
            strategy: &strategy,
            groups: &groups,
            existing: &existing,
            tolerates_failures: false,
            now: input.now,
        };
        let decided = if rules.removes_in_order {
            tidegate_rollout::decide(&engine, rules.engine).map_err(|error| ErrorChain(&error).to_string())
        } else {
            Ok(tidegate_rollout::Decision::default())
        };
        for status in &existing {
            let Ok(name) = status.cluster.parse::<ClusterName>() else { continue };
            let departure = match &decided {
                _ if status.status == Status::Progressing => {
                    let verdict = decided.as_ref().ok().and_then(|decided| decided.verdicts.get(&name));
                    Departure::Deleting { deadline: verdict.and_then(Verdict::look_at) }
                }
                _ if !rules.removes_in_order => Departure::Starts,
                Err(why) => Departure::Waits(Obstacle::Strategy { why: why.clone() }),
                Ok(decided) => match decided.verdicts.get(&name) {
                    Some(Verdict::Starts) => Departure::Starts,
                    Some(Verdict::Waits(wait)) => Departure::Waits(Obstacle::Order(wait.clone())),
                    _ => Departure::Waits(Obstacle::Stopped),
                },
            };
            departures.clusters.insert(name, departure);
        }
        let look_at = decided.ok().and_then(|decided| decided.wake_after);
        let at = look_at.and_then(|after| input.now.checked_add(after).ok());
        departures.look_at = sooner(departures.look_at, at);
    }
}

/// Returns the strategies by placement. Clusters that were chosen by hand have none, and lose the add-on at once.
fn strategies<'l>(leaving: &'l Leaving<'_>) -> Vec<(&'l str, RolloutStrategy)> {
    match leaving.strategies {
        [] => vec![("", RolloutStrategy { type_: "All".to_owned(), ..RolloutStrategy::default() })],
        strategies => strategies.iter().map(|(name, strategy)| (name.as_str(), strategy.clone())).collect(),
    }
}

/// Returns the last reported groups of a placement, with only the clusters that lose the add-on. A cluster whose group is not known
/// comes last; one whose placement is not known is treated as one of the first placement.
fn groups(input: &Input<'_>, leaving: &Leaving<'_>, placement: &str) -> Vec<DecisionGroup> {
    let first = leaving.strategies.first().map_or("", |(name, _)| name.as_str());
    let is_known = |name: &str| leaving.strategies.iter().any(|(known, _)| known == name);
    let mut groups: BTreeMap<i32, Vec<ClusterName>> = BTreeMap::new();
    for name in leaving.clusters.keys() {
        let before = input.past.cluster(leaving.addon, name);
        let owner = before.map(|report| report.placement.as_str()).filter(|owner| is_known(owner)).unwrap_or(first);
        if owner == placement {
            let index = before.and_then(|report| report.group).unwrap_or(i32::MAX);
            groups.entry(index).or_default().push((*name).clone());
        }
    }
    let named = input.past.report.addons.get(leaving.addon);
    let placements = || named.into_iter().flat_map(|report| &report.placements);
    let reported = placements().find(|report| report.placement == placement).or_else(|| placements().next());
    let name_of = |index: i32| {
        let groups = reported.into_iter().flat_map(|report| &report.groups);
        groups.into_iter().find(|group| group.index == index).map(|group| group.name.clone()).unwrap_or_default()
    };
    groups.into_iter().map(|(index, clusters)| DecisionGroup { index, name: name_of(index), clusters }).collect()
}

/// Adapts a strategy to a removal: there is no soak time, and a mandatory group in which no cluster loses the add-on is dropped.
fn for_removal(mut strategy: RolloutStrategy, groups: &[DecisionGroup]) -> RolloutStrategy {
    let is_there = |entry: &MandatoryDecisionGroup| {
        groups.iter().any(|group| match entry.group_name.as_str() {
            "" => group.index == entry.group_index,
            name => group.name == name,
        })
    };
    if let Some(all) = &mut strategy.all {
        all.min_success_time = None;
    }
    if let Some(progressive) = &mut strategy.progressive {
        progressive.min_success_time = None;
        progressive.mandatory_decision_groups.retain(is_there);
    }
    if let Some(per_group) = &mut strategy.progressive_per_group {
        per_group.min_success_time = None;
        per_group.mandatory_decision_groups.retain(is_there);
    }
    strategy
}

fn status(name: &ClusterName, addon: &ManagedClusterAddOn) -> ClusterStatus {
    match &addon.metadata.deletion_timestamp {
        Some(since) => ClusterStatus {
            last_transition: Some(since.0),
            started: Some(since.0),
            ..ClusterStatus::new(name.as_str(), Status::Progressing)
        },
        None => ClusterStatus::new(name.as_str(), Status::ToApply),
    }
}
