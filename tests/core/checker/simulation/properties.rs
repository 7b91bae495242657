//! Properties that hold for every story. Each case is a whole rollout, so there are only a few.

use proptest::prelude::*;
use tidegate_model::progress::ClusterState;
use tidegate_plan::Plan;

use super::generate::{Story, compat_story, drawn, fates, strict_story};
use super::world::{Event, Fate, World};
use tidegate_simulation::revision::Revision;

/// Plays a story to its end, and returns the world and the last plan.
fn told(story: &Story, fates: &[Fate]) -> (World, Plan) {
    let mut world = world(story);
    let plan = world.run(fates);
    world.check();
    world.records.assert_told();
    (world, plan)
}

fn world(story: &Story) -> World {
    World::new(story.first.clone(), story.events.clone())
}

/// Asserts that a story keeps the rules in a world, that everything has a reason, and that it converges.
fn assert_kept(mut world: World, story: &Story, fates: &[Fate]) {
    let plan = world.run(fates);
    world.check();
    world.records.assert_told();
    world.explain(&plan);
    assert_converges(&mut world, story);
}

/// Asserts that everything is as declared once all clusters are healthy, and that nothing is left to do.
fn assert_converges(world: &mut World, story: &Story) {
    world.heal(story.last.clone());
    let plan = world.run(&[]);
    let version = story.last.version.to_string();
    for (name, addon) in &plan.report.addons {
        for (cluster, report) in &addon.clusters {
            assert_eq!(report.state, ClusterState::Succeeded, "{name} on {cluster}: {report:#?}");
            // What an override changes is a part of the version.
            assert_eq!(report.version.split('+').next(), Some(version.as_str()), "{name} on {cluster}");
        }
    }
    assert_eq!(plan.report.addons.len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn strict_keeps_the_rules_and_converges(story in strict_story(1)) {
        assert_kept(world(&story), &story, &[]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn strict_survives_crashes_and_refused_writes(story in strict_story(2), fates in fates()) {
        assert_kept(world(&story), &story, &fates);
    }
}

#[test]
fn a_story_that_once_broke_a_rule_keeps_it() {
    let seed = "39aaf53057ceb66a17d0113f42da302981e99399695fa9cebf7db313f6fc3421";
    let (story, fates) = drawn(&(strict_story(0), fates()), seed);
    assert_kept(world(&story), &story, &fates);
    assert_kept(world(&story).scheduled_by_hub(), &story, &fates);
    let story = story.patient();
    assert_kept(world(&story).delivered_upstream(), &story, &fates);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn applications_keep_the_rules_and_converge(story in strict_story(7), fates in fates(), hub in 0..3_u8) {
        // A write that is refused may come after a short deadline, which rightly stops the rollout.
        let story = story.of_application().patient();
        let world = world(&story);
        let world = match hub {
            0 => world,
            1 => world.scheduled_by_hub(),
            _ => world.delivered_upstream(),
        };
        assert_kept(world, &story, &fates);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_same_story_gives_the_same_history(story in strict_story(3), fates in fates()) {
        let [once, again] = [told(&story, &fates), told(&story, &fates)].map(|(world, _)| world.history);
        prop_assert_eq!(once, again);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn strict_keeps_the_rules_where_the_hub_schedules(story in strict_story(4), fates in fates()) {
        assert_kept(world(&story).scheduled_by_hub(), &story, &fates);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn strict_keeps_the_rules_where_the_addon_manager_delivers(story in strict_story(5), fates in fates()) {
        let story = story.patient();
        assert_kept(world(&story).delivered_upstream(), &story, &fates);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn strict_keeps_the_rules_while_the_delivery_changes(
        story in strict_story(6),
        fates in fates(),
        starts in 0..60_i64,
        lasts in 1..60_i64,
        lag in 0..20_u8,
    ) {
        let mut story = story.patient();
        story.events.push((starts, Event::Manager { runs: true, lag: 0 }));
        story.events.push((starts + lasts, Event::Manager { runs: false, lag }));
        let mut world = world(&story);
        let _ = world.run(&fates);
        world.check();
        assert_converges(&mut world, &story);
        world.take(Event::Manager { runs: true, lag: 0 });
        assert_converges(&mut world, &Story { last: Revision { version: story.last.version % 3 + 1, ..story.last.clone() }, ..story });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn compat_keeps_the_rules_that_upstream_has_too(story in compat_story(7), fates in fates()) {
        let _ = World::new(story.first, story.events).run_for(150, &fates);
    }
}
