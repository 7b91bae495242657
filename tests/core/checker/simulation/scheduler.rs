//! A hub whose own scheduler chooses the clusters, after a restart: no selection has been read before.

use serde_json::{Value, json};
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::Past;
use tidegate_plan::report::AddonReport;

use super::world::{Event, Fate, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Amount, Policy, Revision, Selects};

/// A revision with a placement of all clusters and a later one of the clusters in the EU, which have a configuration of their own.
fn revision(version: u8, group_size: Amount) -> Revision {
    let policy = Policy::all_at_once();
    Revision { eu: Some((policy, 0)), group_size, ..Revision::simple(version, policy) }
}

/// Returns a world that has version 1 everywhere, and whose new process knows version 2 with another size of the groups.
fn restarted() -> World {
    restarted_with(revision(2, Amount::Count(1)))
}

fn restarted_with(next: Revision) -> World {
    let mut world = World::new(revision(1, Amount::Percent(25)), Vec::new()).scheduled_by_hub();
    let _ = world.run(&[]);
    world.take(Event::Commit(Box::new(next)));
    world.past = Past::default();
    world
}

/// Declares the new size of the groups of a Placement on the hub.
fn declare(world: &mut World, placement: &str) {
    let key = ObjectKey::new("cluster.open-cluster-management.io", "Placement", "fleet", placement);
    let size = json!({ "groupStrategy": { "clustersPerDecisionGroup": 1 } });
    world.hub.patch(&key, &json!({ "spec": { "decisionStrategy": size } }));
}

fn report(world: &World) -> AddonReport {
    world.past.report.addon("hello").unwrap().clone()
}

fn assigned(world: &World, cluster: &str) -> Value {
    let key = ObjectKey::new("addon.open-cluster-management.io", "ManagedClusterAddOn", cluster, "hello");
    world.hub.object(&key).unwrap()["status"]["configReferences"].clone()
}

#[test]
fn no_cluster_starts_for_a_placement_while_a_later_one_may_select_it() {
    let mut world = restarted();
    let before = assigned(&world, "c0");
    declare(&mut world, "everywhere");
    let _ = world.run_for(1, &[]);
    let held = report(&world);
    assert_eq!((held.phase, held.clusters["c0"].state), (Phase::Held, ClusterState::Waiting), "{held:#?}");
    assert_eq!(assigned(&world, "c0"), before);
    world.check();
    let _ = world.run(&[]);
    world.check();
    assert_eq!((report(&world).phase, report(&world).clusters["c0"].version.as_str()), (Phase::Completed, "2"));
}

#[test]
fn a_selection_that_was_never_read_is_not_called_the_last_complete_one() {
    let mut world = restarted();
    for _ in 0..2 {
        let _ = world.run_for(1, &[Fate::Refused { every: 1, after: 0 }]);
        let problem = report(&world).problem.unwrap_or_default();
        assert!(problem.contains("no earlier reading exists"), "{problem}");
    }
}

#[test]
fn decisions_that_a_repair_does_not_change_are_trusted_after_a_while() {
    let mut world = restarted_with(revision(2, Amount::Percent(30)));
    let _ = world.run_for(2, &[]);
    let problem = report(&world).problem.unwrap_or_default();
    assert!(problem.contains("it was not as declared, and the decisions may date from then"), "{problem}");
    let _ = world.run(&[]);
    assert_eq!((report(&world).phase, report(&world).clusters["c0"].version.as_str()), (Phase::Completed, "2"));
}

#[test]
fn in_compat_a_cluster_under_way_gets_nothing_new_while_its_selection_is_stale() {
    let compat = |revision: Revision| Revision { settings: "[rollout]\nsemantics = 'compat'\n", ..revision };
    let policy = revision(1, Amount::Unset).everywhere;
    let join = Event::Happens(Accident::Join {
        cluster: 2,
        in_eu: false,
        is_canary: false,
        nature: Nature { conduct: Conduct::Silent, delay: 0 },
    });
    let mut world = World::new(compat(Revision::simple(2, policy)), vec![(0, join)]).scheduled_by_hub();
    let _ = world.run(&[]);
    let before = assigned(&world, "c2");
    // The next revision has another template but the same configuration, and no longer selects the cluster, which the scheduler of the hub does not know yet.
    let next = Revision { selects: Selects::Eu, ..Revision::simple(1, policy) };
    world.take(Event::Commit(Box::new(compat(next))));
    let _ = world.run_for(1, &[]);
    assert_eq!(assigned(&world, "c2"), before, "{:#?}", report(&world).clusters["c2"]);
    world.check();
}
