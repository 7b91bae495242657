//! The plan for a recorded fleet: it decides what the plan for the fleet itself decides.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tidegate_core::plan::report::{AddonReport, ClusterReport};
use tidegate_core::plan::{Input, Memo, Plan, plan};
use tidegate_core::snapshot::Snapshot;
use tidegate_core::upstream::Delivery;
use tidegate_model::action::Write;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;

use super::generate::{compat_story, fates, strict_story};
use super::properties::cases;
use super::world::World;

impl World {
    /// Asserts that a plan for the fleet as recorded and read again decides what a plan for the fleet itself does.
    pub(super) fn assert_recorded(&self, input: &Input<'_>) {
        let instance = crate::instance::instance();
        let text = Snapshot::of(input.fleet, Some(&instance.id), input.now).to_yaml();
        let read = Snapshot::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.to_yaml(), text);
        let fleet = read.fleet();
        let recorded = Input { fleet: &fleet, delivery: Delivery::Native, ..*input };
        let [expected, found] = [input, &recorded].map(|input| decisions(&plan(input, &mut Memo::default())));
        assert_eq!(found, expected, "at {}:\n{text}", self.now);
    }
}

/// What a plan decides, without what only the works on the hub can show.
fn decisions(plan: &Plan) -> (Vec<String>, BTreeSet<String>) {
    let cluster = |(name, report): (&_, &ClusterReport)| {
        let ClusterReport { state, version, hash, group, placement, since, look_at, .. } = report;
        // It is not recorded for a cluster that has applied its configurations.
        let is_applied = report.state.is_settled() || report.state == ClusterState::Soaking;
        let started = report.started.filter(|_| !is_applied);
        format!("  {name} {state} {version} {hash} {group:?} {placement} {started:?} {since:?} {look_at:?}")
    };
    let addon = |(name, report): (&_, &AddonReport)| {
        let AddonReport { version, phase, stopped_by, placements, clusters, .. } = report;
        let placements: Vec<_> = placements.iter().map(|p| (&p.placement, &p.configs, &p.groups)).collect();
        let head = format!("{name} {version} {phase} {stopped_by:?} {placements:?}");
        [vec![head], clusters.iter().map(cluster).collect()].concat()
    };
    let writes = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(|write| {
        let what = match write {
            Write::Create { object } => format!("create {}", ObjectKey::of(object)?),
            Write::Delete { key, .. } => format!("delete {key}"),
            _ => return None,
        };
        let is_shown = what.contains(" ManagedClusterAddOn ") || what.contains(" ClusterManagementAddOn ");
        is_shown.then_some(what)
    });
    (plan.report.addons.iter().flat_map(addon).collect(), writes.collect())
}

proptest! {
    #![proptest_config(cases(4, 11))]

    #[test]
    fn a_recorded_fleet_is_planned_like_the_fleet_itself(story in strict_story(), fates in fates()) {
        let mut world = World::new(story.first.clone(), story.events.clone()).recorded();
        let _ = world.run(&fates);
    }
}

proptest! {
    #![proptest_config(cases(2, 12))]

    #[test]
    fn a_recorded_fleet_is_planned_alike_where_the_hub_schedules(story in strict_story(), fates in fates()) {
        let mut world = World::new(story.first.clone(), story.events.clone()).scheduled_by_hub().recorded();
        let _ = world.run(&fates);
    }
}

proptest! {
    #![proptest_config(cases(2, 13))]

    #[test]
    fn a_recorded_fleet_is_planned_alike_by_the_rules_of_upstream(story in compat_story(), fates in fates()) {
        let _ = World::new(story.first, story.events).recorded().run_for(150, &fates);
    }
}
