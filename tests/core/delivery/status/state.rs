//! The state of a cluster, in strict and in compat.

use tidegate_api::condition::Condition;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::{State, state};
use tidegate_model::time::Timestamp;

use super::fixture::{at, cluster_addon, condition, desired, entries};

const NO_TIME: State = State::Progressing { started: None, since: None };
const FAILED: State = State::Failed { since: Timestamp::constant(50, 0) };
const DONE: State = State::Succeeded { since: None };

fn progressing(reason: &str) -> Condition {
    condition("Progressing", "True", reason, 50)
}

/// Returns a condition `Configured` with the given status since second 40.
fn configured(status: &'static str) -> Condition {
    condition("Configured", status, "R", 40)
}

#[test]
fn each_form_returns_the_state_of_a_cluster() {
    let (to_apply, since_50) = (State::ToApply, Some(at(50)));
    let under_way = |started: Option<i64>, since| State::Progressing { started: started.map(at), since };
    let table = [
        ("nothing yet", "", "a/x=1", vec![], to_apply, to_apply),
        ("fewer than desired", "a/x=1<1", "a/x=1 b/y=2", vec![], to_apply, to_apply),
        ("more than desired", "a/x=1<1 b/y=2<2", "a/x=1", vec![], to_apply, to_apply),
        ("another object", "a/x=1<1", "a/y=1", vec![], to_apply, to_apply),
        ("another kind", "a/x=1<1", "b/x=1", vec![], to_apply, to_apply),
        ("another hash", "a/x=1<1", "a/x=2", vec![], to_apply, to_apply),
        ("assigned, nothing reported", "a/x=1", "a/x=1", vec![], NO_TIME, NO_TIME),
        ("assigned, with a start", "a/x=1<0", "a/x=1", vec![configured("True")], NO_TIME, under_way(Some(40), None)),
        ("assigned, but waiting", "a/x=1<0", "a/x=1", vec![configured("False")], NO_TIME, NO_TIME),
        ("under way", "a/x=1", "a/x=1", vec![progressing("Progressing")], under_way(None, since_50), NO_TIME),
        ("an old completion", "a/x=1<0", "a/x=1", vec![progressing("Completed")], NO_TIME, NO_TIME),
        ("waits for something", "a/x=1<0", "a/x=1", vec![progressing("WaitingForManifestApplied")], NO_TIME, NO_TIME),
        ("a failure", "a/x=1<0", "a/x=1", vec![progressing("Failed")], FAILED, FAILED),
        (
            "done",
            "a/x=1<1",
            "a/x=1",
            vec![progressing("Completed")],
            State::Succeeded { since: since_50 },
            State::Succeeded { since: since_50 },
        ),
        ("done, but unhealthy", "a/x=1<1", "a/x=1", vec![progressing("Progressing")], DONE, under_way(None, since_50)),
        ("done, in another order", "b/y=2<2 a/x=1<1", "a/x=1 b/y=2", vec![], DONE, NO_TIME),
        ("no hash is known", "a/x=<", "a/x=", vec![], DONE, NO_TIME),
        ("nothing desired, not configured", "", "", vec![], DONE, to_apply),
        ("nothing desired, configured", "", "", vec![configured("True")], DONE, under_way(Some(40), None)),
        ("one is under way, another changes", "a/x=1<0 b/y=2<2", "a/x=1 b/y=3", vec![], NO_TIME, to_apply),
        ("one changes, another is under way", "a/x=1<1 b/y=2<0", "a/x=9 b/y=2", vec![], to_apply, to_apply),
        ("one is listed twice", "a/x=1<1 a/x=1<1", "a/x=1 b/y=2", vec![], DONE, NO_TIME),
        ("one lacks its object, after one that changes", "a/x=1<1 b/?", "a/x=2 b/y=1", vec![], to_apply, to_apply),
    ];
    for (what, observed, wanted, conditions, compat, strict) in table {
        let addon = cluster_addon(&entries(observed), &conditions);
        assert_eq!(state::compat(&addon, &desired(wanted)), Ok(compat), "compat: {what}");
        assert_eq!(state::strict(&addon, &desired(wanted)), strict, "strict: {what}");
    }
}

#[test]
fn upstream_crashes_on_the_first_entry_without_desired_config() {
    let addon = cluster_addon(&entries("a/x=1<1 b/?"), &[]);
    state::compat(&addon, &desired("a/x=1 b/y=1")).unwrap_err();
    assert_eq!(state::strict(&addon, &desired("a/x=1 b/y=1")), State::ToApply);
}

#[test]
fn an_addon_without_status_has_everything_to_apply() {
    let mut addon = cluster_addon::<ManagedClusterAddOn>(&[], &[]);
    addon.status = None;
    assert_eq!(state::strict(&addon, &desired("a/x=1")), State::ToApply);
    assert_eq!(state::compat(&addon, &desired("a/x=1")), Ok(State::ToApply));
}

/// Returns the state of a cluster that should have `a/x=new`, in strict and in compat.
fn both(observed: &str, conditions: &[Condition]) -> (State, State) {
    let addon = cluster_addon(&entries(observed), conditions);
    let desired = desired("a/x=new");
    (state::strict(&addon, &desired), state::compat(&addon, &desired).unwrap())
}

/// Returns `Configured` since second 3, and the given `Progressing` condition.
fn told(status: &'static str, reason: &str, second: i64) -> [Condition; 2] {
    [condition("Configured", "True", "R", 3), condition("Progressing", status, reason, second)]
}

#[test]
fn a_deadline_runs_from_the_start_and_not_from_the_last_flip() {
    // Assigned at three; the agent answered at five, and only then the condition appeared.
    let strict = State::Progressing { started: Some(at(3)), since: None };
    let compat = State::Progressing { started: None, since: Some(at(5)) };
    assert_eq!(both("a/x=new<old", &told("True", "Progressing", 5)), (strict, compat));
}

#[test]
fn a_cluster_that_reports_nothing_still_has_a_start_time() {
    let strict = State::Progressing { started: Some(at(3)), since: None };
    // Upstream measures the deadline of each of these from now, so it never ends.
    for reason in ["Completed", "WaitingForManifestApplied", "ConfigurationUnsupported"] {
        assert_eq!(both("a/x=new<old", &told("False", reason, 1)), (strict, NO_TIME), "{reason}");
    }
    assert_eq!(both("a/x=new<old", &[condition("Configured", "True", "R", 3)]), (strict, NO_TIME));
}

#[test]
fn a_cluster_that_was_done_and_becomes_unhealthy_is_in_progress_again() {
    let strict = State::Progressing { started: Some(at(3)), since: Some(at(5)) };
    assert_eq!(both("a/x=new<new", &told("True", "Progressing", 5)), (strict, DONE));
}

#[test]
fn a_cluster_that_does_not_report_completion_is_not_done() {
    let strict = State::Progressing { started: Some(at(3)), since: None };
    // Upstream restarts its soak time with every look.
    assert_eq!(both("a/x=new<new", &told("False", "ConfigurationUnsupported", 5)), (strict, DONE));
}

#[test]
fn a_failure_in_the_soak_time_stays_a_failure() {
    let failed = State::Failed { since: at(5) };
    assert_eq!(both("a/x=new<new", &told("False", "Failed", 5)), (failed, DONE));
    assert_eq!(both("a/x=new<old", &told("False", "Failed", 5)), (failed, failed));
}

#[test]
fn a_cluster_is_done_since_the_time_of_its_condition() {
    let done = State::Succeeded { since: Some(at(5)) };
    assert_eq!(both("a/x=new<new", &told("False", "Completed", 5)), (done, done));
    assert_eq!(both("a/x=old<old", &told("False", "Completed", 5)), (State::ToApply, State::ToApply));
}

#[test]
fn a_change_while_another_configuration_is_in_progress_restarts_only_strict() {
    let addon = cluster_addon(&entries("a/x=1<0 b/y=2<2"), &told("True", "Progressing", 5));
    let desired = desired("a/x=1 b/y=3");
    assert!(!state::is_assigned(&addon, &desired));
    assert_eq!(state::strict(&addon, &desired), State::ToApply);
    assert_eq!(state::compat(&addon, &desired), Ok(State::Progressing { started: None, since: Some(at(5)) }));
}
