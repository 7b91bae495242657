//! The plan for a recorded fleet: it decides what the plan for the fleet itself decides.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tidegate_delivery::upstream::Delivery;
use tidegate_journal::snapshot::Snapshot;
use tidegate_model::action::Write;
use tidegate_model::progress::{ClusterState, Counts};
use tidegate_model::shared::Shared;
use tidegate_plan::report::{AddonReport, ClusterReport, GroupReport};
use tidegate_plan::{Input, Memo, Plan, plan};

use super::generate::{compat_story, drawn, fates, strict_story};
use super::world::World;

/// Asserts that a plan for the fleet as recorded and read again decides what the plan for the fleet itself does.
pub(super) fn assert_recorded(input: &Input<'_>, expected: &Plan) {
    let text = Snapshot::of(input.fleet, Some(&input.instance.id), input.now).to_yaml();
    let read = Snapshot::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.to_yaml(), text);
    let fleet = read.fleet();
    let recorded = Input { fleet: &fleet, delivery: Delivery::Native, ..*input };
    let found = plan(&recorded, &mut Memo::default());
    // The health of an add-on is recorded from its status. Before that is written, only the works show it.
    let is_current = expected.lanes.iter().all(|lane| lane.writes.is_empty());
    let [found, expected] = [&found, expected].map(|plan| decisions(plan, is_current));
    assert_eq!(found, expected, "at {}:\n{text}", input.now);
}

/// What a plan decides, without what only the works on the hub can show. Health is part of it if statuses are current.
fn decisions(plan: &Plan, is_current: bool) -> (Vec<String>, BTreeSet<String>) {
    let cluster = |(name, report): (&_, &ClusterReport)| {
        let ClusterReport { state, version, hash, group, placement, since, look_at, .. } = report;
        // It is not recorded for a cluster that has applied its configurations.
        let is_applied = report.state.is_settled() || report.state == ClusterState::Soaking;
        let started = report.started.filter(|_| !is_applied);
        format!("  {name} {state} {version} {hash} {group:?} {placement} {started:?} {since:?} {look_at:?}")
    };
    let addon = |(name, report): (&_, &Shared<AddonReport>)| {
        let AddonReport { version, phase, stopped_by, placements, clusters, .. } = &**report;
        let group = |group: &GroupReport| {
            let degraded = if is_current { group.counts.degraded } else { 0 };
            GroupReport { counts: Counts { degraded, ..group.counts }, ..group.clone() }
        };
        let placements: Vec<_> = placements
            .iter()
            .map(|p| (&p.placement, &p.configs, p.groups.iter().map(group).collect::<Vec<_>>()))
            .collect();
        let head = format!("{name} {version} {phase} {stopped_by:?} {placements:?}");
        [vec![head], clusters.iter().map(cluster).collect()].concat()
    };
    let writes = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(|write| {
        let what = match write {
            Write::Create { object } => format!("create {}", object.key.as_ref()?),
            Write::Delete { key, .. } => format!("delete {key}"),
            _ => return None,
        };
        let is_shown = what.contains(" ManagedClusterAddOn ") || what.contains(" ClusterManagementAddOn ");
        is_shown.then_some(what)
    });
    (plan.report.addons.iter().flat_map(addon).collect(), writes.collect())
}

#[test]
fn stories_whose_recorded_fleet_was_once_planned_otherwise_are_planned_alike() {
    let seeds = [
        "a6486202bfe0bb5bd36a9adaaf46ebacf729de0bc33d0b7195bca8e5fbb87014",
        "fa9213bcf78e6e8f195f9972ae60c06f409cc7d822f32ea65f6e1515557c3c4b",
    ];
    let seeds = seeds.map(|seed| (0, seed));
    let seed = "8c5e73ec14475edad084200f36aa03b3f5f7689c12cb5486af3284fcfb7423dd";
    for (nth, seed) in seeds.into_iter().chain([(21, seed), (22, seed)]) {
        let (story, fates) = drawn(&(strict_story(nth), fates()), seed);
        let world = || World::new(story.first.clone(), story.events.clone()).recorded();
        let _ = world().run(&fates);
        let _ = world().scheduled_by_hub().run(&fates);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn a_recorded_fleet_is_planned_like_the_fleet_itself(story in strict_story(21), fates in fates()) {
        let mut world = World::new(story.first.clone(), story.events.clone()).recorded();
        let _ = world.run(&fates);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn a_recorded_fleet_is_planned_alike_where_the_hub_schedules(story in strict_story(22), fates in fates()) {
        let mut world = World::new(story.first.clone(), story.events.clone()).scheduled_by_hub().recorded();
        let _ = world.run(&fates);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn a_recorded_fleet_is_planned_alike_by_the_rules_of_upstream(story in compat_story(23), fates in fates()) {
        let _ = World::new(story.first, story.events).recorded().run_for(150, &fates);
    }
}
