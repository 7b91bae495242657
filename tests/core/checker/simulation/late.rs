//! A canary that is done only after its deadline keeps all other clusters waiting, until a commit changes that.

use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::Plan;
use tidegate_plan::report::ClusterReport;

use super::world::{Event, Fate, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Amount, Pace, Policy, Revision};

const WELL: Nature = Nature { conduct: Conduct::Well, delay: 1 };
const ILL: Nature = Nature { conduct: Conduct::Unready, delay: 1 };

/// A revision whose canaries have a minute each.
fn revision(version: u8) -> Revision {
    let policy = Policy {
        pace: Pace::Progressive,
        canary_first: true,
        concurrency: Amount::Unset,
        failures: Amount::Count(9),
        deadline: Some(60),
        soak: 0,
    };
    Revision::simple(version, policy)
}

fn commit(at: i64, revision: Revision) -> (i64, Event) {
    (at, Event::Commit(Box::new(revision)))
}

fn turn(at: i64, nature: Nature) -> (i64, Event) {
    (at, Event::Happens(Accident::Turn { cluster: 0, nature }))
}

/// The two canaries and one other cluster get version 1; at second 100 version 2 arrives, and canary `c0` is unhealthy.
fn world(mut later: Vec<(i64, Event)>) -> World {
    let mut events =
        vec![(0, Event::Happens(Accident::Join { cluster: 2, in_eu: false, is_canary: false, nature: WELL }))];
    events.extend([turn(99, ILL), commit(100, revision(2))]);
    events.append(&mut later);
    World::new(revision(1), events)
}

fn on<'a>(plan: &'a Plan, cluster: &str) -> &'a ClusterReport {
    &plan.report.addons["hello"].clusters[cluster]
}

/// Asserts that the other cluster waits, and for what.
fn assert_stopped(plan: &Plan) {
    assert_eq!(plan.report.addons["hello"].phase, Phase::Stopped);
    let (canary, other) = (on(plan, "c0"), on(plan, "c2"));
    assert_eq!(canary.state, ClusterState::Succeeded, "{canary:#?}");
    assert!(canary.reason.ends_with(" after its start, which is after its progressDeadline"), "{}", canary.reason);
    assert_eq!((other.state, other.version.as_str()), (ClusterState::Waiting, "1"), "{other:#?}");
    let reason =
        "stopped by the failure budget of mandatory group 0 (\"canary\"): c0 succeeded only after the progressDeadline";
    assert_eq!(other.reason, reason);
    let problem = plan.report.addons["hello"].problem.as_deref();
    assert_eq!(
        problem,
        Some(format!("{reason}: no further cluster starts, and all others keep what they have").as_str())
    );
}

#[test]
fn a_canary_that_is_done_only_after_its_deadline_keeps_the_others_waiting() {
    let mut world = world(vec![turn(300, WELL)]);
    assert_stopped(&world.run(&[]));
    world.check();
    // A new process that knows only the hub decides the same.
    assert_stopped(&world.run(&[Fate::Dies(0)]));
    assert_stopped(&world.run(&[]));
}

#[test]
fn a_canary_that_is_done_in_time_lets_the_others_start() {
    let plan = world(vec![turn(120, WELL)]).run(&[]);
    assert_eq!((on(&plan, "c0").reason.as_str(), on(&plan, "c2").version.as_str()), ("", "2"));
}

#[test]
fn a_longer_deadline_another_version_or_no_mandatory_group_unblocks_the_rollout() {
    let longer = Policy { deadline: Some(600), ..revision(2).everywhere };
    let not_mandatory = Policy { canary_first: false, ..revision(2).everywhere };
    let openings = [
        Revision { everywhere: longer, ..revision(2) },
        Revision { everywhere: not_mandatory, ..revision(2) },
        revision(3),
        revision(1),
    ];
    for opening in openings {
        let version = opening.version.to_string();
        let plan = world(vec![turn(300, WELL), commit(400, opening)]).run(&[]);
        for cluster in ["c0", "c1", "c2"] {
            let report = on(&plan, cluster);
            assert_eq!((report.state, &report.version), (ClusterState::Succeeded, &version), "{report:#?}");
        }
        assert_eq!(plan.report.addons["hello"].phase, Phase::Completed);
    }
    let barely = Policy { deadline: Some(90), ..revision(2).everywhere };
    let stricter = Revision { everywhere: barely, ..revision(2) };
    assert_stopped(&world(vec![turn(300, WELL), commit(400, stricter)]).run(&[]));
}

#[test]
fn a_canary_that_was_done_in_time_and_recovers_during_its_soak_time_is_not_late() {
    let soaking = Policy { soak: 120, ..revision(2).everywhere };
    let mut at_once = world(vec![
        commit(101, Revision { everywhere: soaking, ..revision(2) }),
        turn(110, WELL),
        // It is unhealthy for half a minute, and healthy again long after the deadline of its start.
        (200, Event::Happens(Accident::Sight { cluster: 0, is_seen: false })),
        (230, Event::Happens(Accident::Sight { cluster: 0, is_seen: true })),
    ]);
    let plan = at_once.run(&[]);
    assert_eq!((on(&plan, "c0").reason.as_str(), on(&plan, "c2").version.as_str()), ("", "2"), "{plan:#?}");
}

#[test]
fn a_late_canary_stays_late_when_it_recovers_once_more_during_its_soak_time() {
    let soaking = Policy { soak: 120, ..revision(2).everywhere };
    let plan = world(vec![
        commit(101, Revision { everywhere: soaking, ..revision(2) }),
        turn(300, WELL),
        (350, Event::Happens(Accident::Sight { cluster: 0, is_seen: false })),
        (370, Event::Happens(Accident::Sight { cluster: 0, is_seen: true })),
    ])
    .run(&[]);
    assert_stopped(&plan);
}

#[test]
fn upstream_forgets_that_a_canary_was_late() {
    let settings = "[rollout]\nsemantics = 'compat'\n";
    let compat = |version| Revision { settings, ..revision(version) };
    let mut events =
        vec![(0, Event::Happens(Accident::Join { cluster: 2, in_eu: false, is_canary: false, nature: WELL }))];
    // Upstream checks only whether the works are applied, so the canary is silent.
    let silent = Nature { conduct: Conduct::Silent, delay: 1 };
    events.extend([turn(99, silent), commit(100, compat(2)), turn(300, WELL)]);
    let plan = World::new(compat(1), events).run_for(300, &[]);
    assert_eq!(plan.map(|plan| on(&plan, "c2").version.clone()), Some("2".to_owned()));
}
