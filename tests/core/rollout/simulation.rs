//! Whole rollouts of random fleets, judged tick by tick.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::semantics::Semantics;
use tidegate_rollout::Decision;

use super::scene::group;
use super::world::{Pace, Policy, Script, World};

/// Longer than any generated rollout of clusters that succeed: thirty clusters, one at a time, nine ticks each.
const LONG: i64 = 400;

fn any_groups() -> impl Strategy<Value = Vec<DecisionGroup>> {
    (prop::collection::vec(0..5_i32, 1..30), 1..3_i32).prop_map(|(places, step)| {
        let mut members: BTreeMap<i32, String> = BTreeMap::new();
        for (n, place) in places.into_iter().enumerate() {
            members.entry(place).or_default().push_str(&format!("c{n:02} "));
        }
        // Renumbered, so that the indexes have a gap only if the step makes one.
        let numbered = members.into_values().zip(0..);
        numbered.map(|(clusters, n)| group(n * step, &format!("g{n}"), &clusters)).collect()
    })
}

fn any_policy(groups: &[DecisionGroup]) -> impl Strategy<Value = Policy> + use<> {
    let indexes: Vec<i32> = groups.iter().map(|group| group.index).collect();
    let mandatory = prop::sample::subsequence(indexes.clone(), 0..=indexes.len().min(2));
    let pace = prop_oneof![Just(Pace::All), Just(Pace::Progressive), Just(Pace::PerGroup)];
    let concurrency = (prop::option::of(1..8_u32), prop::option::of(1..120_u32));
    (pace, mandatory, concurrency, 0..6_u32, prop::option::of(1..6_i64), 0..4_i64).prop_map(
        |(pace, mandatory, (count, percent), max_failures, deadline, soak)| {
            let mandatory: BTreeSet<i32> = mandatory.into_iter().collect();
            Policy { pace, mandatory, count, percent, max_failures, deadline, soak }
        },
    )
}

pub(super) fn succeeds() -> impl Strategy<Value = Script> {
    (1..5_i64).prop_map(|after| Script::Succeeds { after })
}

pub(super) fn any_script() -> impl Strategy<Value = Script> {
    let fails = (1..5_i64, prop::option::of(1..4_i64));
    prop_oneof![
        12 => succeeds(),
        2 => fails.prop_map(|(after, recovers)| Script::Fails { after, recovers }),
        1 => Just(Script::Hangs),
        1 => Just(Script::IsSilent),
    ]
}

pub(super) fn world<S: Strategy<Value = Script>>(script: fn() -> S) -> impl Strategy<Value = World> {
    any_groups().prop_flat_map(move |groups| {
        let size = groups.iter().map(|group| group.clusters.len()).sum::<usize>();
        (any_policy(&groups), Just(groups), prop::collection::vec(script(), size), any::<bool>()).prop_map(
            |(policy, groups, scripts, reports_to_apply)| {
                let names = groups.iter().flat_map(|group| &group.clusters).map(ToString::to_string);
                let scripts = names.zip(scripts).collect();
                World { policy, groups, scripts, reports_to_apply, started: BTreeMap::new(), tick: 0 }
            },
        )
    })
}

/// Returns `true` if upstream rounds a percentage up that is a whole number of clusters: a difference in docs/semantics.md.
fn upstream_rounds_up(percent: u32, total: usize) -> bool {
    let upstream = (f64::from(percent) / 100.0 * total as f64).ceil() as usize;
    upstream != (percent as usize * total).div_ceil(100)
}

proptest! {
    // Each case is a whole rollout.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn strict_keeps_its_promises_at_every_tick(mut world in world(any_script)) {
        for _ in 0..50 {
            let decision = world.decide(Semantics::Strict);
            world.check(&decision);
            world.follow(&decision);
        }
    }

    #[test]
    fn strict_keeps_its_promises_when_the_configuration_changes_midway(
        mut world in world(any_script),
        forgotten in 1..20_i64,
    ) {
        for _ in 0..50 {
            let decision = world.decide(Semantics::Strict);
            world.check(&decision);
            world.follow(&decision);
            if world.tick == forgotten {
                world.started.clear();
            }
        }
    }

    #[test]
    fn strict_keeps_its_promises_from_any_state(
        mut world in world(any_script),
        started in prop::collection::vec(prop::option::of(-8..0_i64), 30),
    ) {
        let names: Vec<_> = world.scripts.keys().cloned().collect();
        world.started = names.into_iter().zip(started).filter_map(|(name, at)| Some((name, at?))).collect();
        for _ in 0..20 {
            let decision = world.decide(Semantics::Strict);
            world.check(&decision);
            world.follow(&decision);
        }
    }

    #[test]
    fn strict_finishes_when_all_clusters_succeed(mut world in world(succeeds)) {
        // A deadline before the success would make it a failure.
        world.policy.deadline = None;
        let is_over = |world: &World| world.scripts.keys().all(|name| world.is_done(name));
        while world.tick < LONG && !is_over(&world) {
            let decision = world.decide(Semantics::Strict);
            world.follow(&decision);
        }
        prop_assert!(is_over(&world));
        let end = world.decide(Semantics::Strict);
        prop_assert!(end.rollout.is_empty() && end.waiting().next().is_none() && end.wake_after.is_none());
    }

    #[test]
    fn compat_and_strict_agree_while_all_goes_well(mut world in world(succeeds)) {
        prop_assume!(world.policy.pace != Pace::All);
        prop_assume!(world.policy.percent.is_none_or(|percent| !upstream_rounds_up(percent, world.scripts.len())));
        world.policy.deadline = None;
        world.policy.mandatory.clear();
        for (group, index) in world.groups.iter_mut().zip(0..) {
            group.index = index;
        }
        for _ in 0..50 {
            let [strict, compat] = [Semantics::Strict, Semantics::Compat].map(|it| world.decide(it));
            let sorted = |decision: &Decision| {
                let mut rollout: Vec<_> = decision.rollout.iter().map(|s| (s.cluster.clone(), s.status)).collect();
                rollout.sort();
                rollout
            };
            prop_assert_eq!(sorted(&strict), sorted(&compat));
            prop_assert_eq!(strict.wake_after, compat.wake_after);
            world.follow(&strict);
        }
    }
}
