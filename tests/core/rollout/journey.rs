//! Whole rollouts from event to event: a decision is made only if something has happened, or if the previous decision
//! asked for it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_rollout::{Decision, Verdict, Wait};

use super::scene::group;
use super::simulation::{any_script, succeeds, world};
use super::world::{Pace, Policy, Script, World};

/// An external event. Indexes of clusters and groups wrap around.
#[derive(Debug, Clone)]
enum Churn {
    Leaves {
        cluster: usize,
    },
    Joins {
        name: u8,
        group: usize,
        script: Script,
    },
    Moves {
        cluster: usize,
        group: usize,
    },
    /// All clusters are to have another configuration.
    Changes,
}

fn any_churn<S: Strategy<Value = Script>>(script: fn() -> S) -> impl Strategy<Value = Vec<(i64, Churn)>> + use<S> {
    let churn = prop_oneof![
        any::<usize>().prop_map(|cluster| Churn::Leaves { cluster }),
        (0..9_u8, any::<usize>(), script()).prop_map(|(name, group, script)| Churn::Joins { name, group, script }),
        any::<(usize, usize)>().prop_map(|(cluster, group)| Churn::Moves { cluster, group }),
        Just(Churn::Changes),
    ];
    prop::collection::vec((0..40_i64, churn), 0..8).prop_map(|mut churn| {
        churn.sort_by_key(|(at, _)| *at);
        churn
    })
}

/// More steps than any generated rollout takes.
const MANY: usize = 500;

/// Applies the external events that are due by now.
fn happen(world: &mut World, churn: &mut Vec<(i64, Churn)>) {
    while churn.first().is_some_and(|(at, _)| *at <= world.tick) {
        match churn.remove(0).1 {
            Churn::Leaves { cluster } => drop(take_out(world, cluster)),
            Churn::Joins { name, group, script } => {
                let name = format!("joined-{name}");
                if !world.scripts.contains_key(&name) {
                    world.scripts.insert(name.clone(), script);
                    put_in(world, &name, group);
                }
            }
            Churn::Moves { cluster, group } => {
                if let Some((name, script, start)) = take_out(world, cluster) {
                    world.started.extend(start.map(|start| (name.clone(), start)));
                    world.scripts.insert(name.clone(), script);
                    put_in(world, &name, group);
                }
            }
            Churn::Changes => world.started.clear(),
        }
    }
}

fn take_out(world: &mut World, cluster: usize) -> Option<(String, Script, Option<i64>)> {
    let name = world.scripts.keys().nth(cluster.checked_rem(world.scripts.len())?)?.clone();
    world.groups.iter_mut().for_each(|group| group.clusters.retain(|member| member.as_str() != name));
    let start = world.started.remove(&name);
    world.scripts.remove(&name).map(|script| (name, script, start))
}

fn put_in(world: &mut World, name: &str, group: usize) {
    let place = group % world.groups.len();
    let DecisionGroup { clusters, .. } = &mut world.groups[place];
    clusters.push(name.parse().unwrap());
    clusters.sort();
}

/// Goes from event to event until none is left, and returns the last decision.
fn travel(world: &mut World, mut churn: Vec<(i64, Churn)>) -> Decision {
    for step in 0..MANY {
        happen(world, &mut churn);
        let decision = world.decide(Semantics::Strict);
        world.check(&decision);
        assert_eq!(decision, world.decide_turned(step, Semantics::Strict), "the order of the input matters");
        if world.start(&decision) {
            continue;
        }
        let wakes = decision.wake_after.map(|span| world.tick + span.as_mins());
        let comes = churn.first().map(|(at, _)| *at);
        match [wakes, comes, world.next_change()].into_iter().flatten().min() {
            Some(next) => world.tick = next,
            None => return decision,
        }
    }
    panic!("still under way after {MANY} steps");
}

/// Asserts that each waiting cluster waits for something that really blocks it, and that only a person can remove.
fn assert_explained(world: &World, decision: &Decision) {
    let under_way: Vec<&String> = world.scripts.keys().filter(|name| world.is_in_flight(name)).collect();
    let is_endless = under_way.is_empty() || world.policy.deadline.is_none();
    assert!(is_endless, "{under_way:?} have a deadline that no decision waits for");
    for (cluster, wait) in decision.waiting() {
        let is_so = match wait {
            Wait::Slot { .. } => !under_way.is_empty(),
            Wait::Group { group, .. } | Wait::MandatoryGroup { group, .. } => {
                let ahead = world.groups.iter().filter(|ahead| ahead.index == group.index);
                // A cluster that waits for a slot is judged separately.
                let is_in_the_way = |member: &ClusterName| {
                    let waits_for_a_slot =
                        matches!(decision.verdicts.get(member), Some(Verdict::Waits(Wait::Slot { .. })));
                    world.is_in_flight(member.as_str()) || waits_for_a_slot
                };
                ahead.flat_map(|ahead| &ahead.clusters).any(is_in_the_way)
            }
            Wait::FailureBudget { .. } | Wait::MandatoryFailure { .. } => world.is_over_budget(),
            Wait::UnknownMandatoryGroup { .. } => true,
            _ => false,
        };
        assert!(is_so, "{cluster} {wait}, which nothing will ever change");
    }
}

#[test]
fn a_cluster_that_joins_a_mandatory_group_waits_for_a_slot_and_the_others_wait_for_it() {
    let succeeds = ["c00", "c01", "c03", "c04", "c05"].map(|name| (name.to_owned(), Script::Succeeds { after: 1 }));
    let mut world = World {
        policy: Policy {
            pace: Pace::Progressive,
            mandatory: [0].into(),
            count: None,
            percent: Some(1),
            max_failures: 0,
            deadline: None,
            soak: 0,
        },
        groups: vec![group(0, "g0", "c01 c03"), group(2, "g1", "c05"), group(4, "g2", "c00 c02 c04")],
        scripts: succeeds.into_iter().chain([("c02".to_owned(), Script::Hangs)]).collect(),
        reports_to_apply: false,
        started: BTreeMap::new(),
        tick: 0,
    };
    // By then the mandatory group is done, and the one slot is taken for good.
    let joins = Churn::Joins { name: 2, group: 0, script: Script::Hangs };
    let end = travel(&mut world, vec![(30, joins)]);
    let waits: Vec<String> = end.waiting().map(|(cluster, wait)| format!("{cluster} {wait}")).collect();
    let group = r#"waits for mandatory group 0 ("g0"): 1 not done"#;
    let slot = "joined-2 waits for a free slot: 1 under way, 1 allowed".to_owned();
    assert_eq!(waits, [format!("c04 {group}"), format!("c05 {group}"), slot]);
    assert_explained(&world, &end);
}

proptest! {
    // Each case is a whole rollout.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn strict_settles_and_explains_why(mut world in world(any_script), churn in any_churn(any_script)) {
        let end = travel(&mut world, churn);
        assert_explained(&world, &end);
    }

    #[test]
    fn strict_completes_all_clusters_if_all_succeed(mut world in world(succeeds), churn in any_churn(succeeds)) {
        world.policy.deadline = None;
        let end = travel(&mut world, churn);
        let is_blocked = |(_, wait): (_, &Wait)| matches!(wait, Wait::UnknownMandatoryGroup { .. });
        if end.waiting().any(is_blocked) {
            return Ok(());
        }
        let left: Vec<&String> = world.scripts.keys().filter(|name| !world.is_done(name)).collect();
        prop_assert!(left.is_empty(), "{:?} are left behind: {:?}", left, end);
        prop_assert!(end.rollout.is_empty() && end.timed_out.is_empty() && !end.breach);
    }

    #[test]
    fn compat_gives_the_same_answer_to_the_same_input_in_any_order(
        mut world in world(any_script),
        mut churn in any_churn(any_script),
    ) {
        let by_name = |decision: &Decision| -> Vec<BTreeMap<String, String>> {
            let lists = [&decision.rollout, &decision.timed_out, &decision.removed];
            lists.map(|list| list.iter().map(|s| (s.cluster.clone(), format!("{s:?}"))).collect()).to_vec()
        };
        for step in 0..50 {
            happen(&mut world, &mut churn);
            let decision = world.decide(Semantics::Compat);
            prop_assert_eq!(&decision, &world.decide(Semantics::Compat));
            let turned = world.decide_turned(step, Semantics::Compat);
            prop_assert_eq!(by_name(&decision), by_name(&turned));
            prop_assert_eq!(decision.wake_after, turned.wake_after);
            world.follow(&decision);
        }
    }
}
