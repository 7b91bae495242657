//! How clusters go back to the last good digest: how many at once, and whether those under way finish first.

use serde_json::json;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;

use super::rollouts::{ONE_BY_ONE, commit, policy, world};
use crate::simulation::world::{Event, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Amount, Pace, Policy, Revision};

fn turn(cluster: u8, conduct: Conduct, delay: i64) -> Event {
    Event::Happens(Accident::Turn { cluster, nature: Nature { conduct, delay } })
}

/// Returns a revision whose clusters start as fast as the concurrency lets them, and that rolls back on its first failure.
fn revision(version: u8, concurrency: u8, on_failure: serde_json::Value) -> Revision {
    let pace =
        Policy { concurrency: Amount::Count(concurrency), canary_first: false, pace: Pace::Progressive, ..ONE_BY_ONE };
    let (path, policy) = policy(json!({ "onFailure": on_failure }));
    Revision { files: [(path, policy)].into(), ..Revision::simple(version, pace) }
}

/// Runs a rollout in which the first cluster fails after 60 seconds, while the third one needs 54 seconds from its start at 8 seconds.
fn with_one_under_way(underway: &str) -> World {
    let on_failure = json!({ "action": "Rollback", "underway": underway });
    let mut world = world(vec![
        (0, turn(0, Conduct::Refuses, 1)),
        (0, turn(2, Conduct::Well, 54)),
        (1, commit(revision(2, 2, on_failure))),
        (75, turn(0, Conduct::Well, 2)),
        (75, turn(2, Conduct::Well, 2)),
    ]);
    let plan = world.run(&[]);
    let clusters = &plan.report.addons["hello"].clusters;
    assert!(
        clusters.values().all(|report| report.version == "1" && report.state == ClusterState::Succeeded),
        "{clusters:#?}"
    );
    world
}

fn is(report: &ClusterReport, version: &str, state: ClusterState) -> bool {
    report.version == version && report.state == state
}

/// Returns how many seconds after the rejection the third cluster went back.
fn delay(world: &World) -> f64 {
    let addons = || world.history.iter().filter_map(|tick| tick.report.addons.get("hello"));
    let rejected = addons().find_map(|addon| addon.rejected.as_ref()).unwrap().at;
    let back = addons().filter(|addon| addon.rejected.is_some()).map(|addon| &addon.clusters["c2"]);
    let started = back.filter(|c2| c2.version == "1").find_map(|c2| c2.started).unwrap();
    started.duration_since(rejected).as_secs_f64()
}

#[test]
fn a_cluster_under_way_finishes_before_it_goes_back_only_if_the_policy_says_so() {
    for (underway, finishes) in [("Finish", true), ("Rollback", false)] {
        let world = with_one_under_way(underway);
        assert!(world.has_reported(|name, report| name == "c2" && is(report, "2", ClusterState::Progressing)));
        assert_eq!(world.has_waited("finishes before it is rolled back"), finishes, "{underway}");
        // It is done 62 seconds after the start, and the first cluster has failed after 60.
        assert_eq!(delay(&world) >= 2.0, finishes, "{underway}: {}", delay(&world));
    }
}

#[test]
fn no_more_clusters_go_back_at_once_than_the_policy_allows() {
    for most in [1, 2] {
        let on_failure = json!({ "action": "Rollback", "maxConcurrency": most });
        let mut world = world(vec![
            (0, turn(0, Conduct::Refuses, 1)),
            (1, commit(revision(2, 4, on_failure))),
            (70, turn(0, Conduct::Well, 2)),
        ]);
        let _ = world.run(&[]);
        let reports = world.history.iter().filter_map(|tick| tick.report.addons.get("hello"));
        let back = reports
            .filter(|addon| addon.rejected.is_some())
            .map(|addon| addon.clusters.values().filter(|report| is(report, "1", ClusterState::Progressing)).count());
        assert_eq!(back.max(), Some(most), "clusters at once");
    }
}
