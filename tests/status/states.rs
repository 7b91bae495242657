//! How far a cluster is.

use tidegate::api::condition::Condition;
use tidegate::api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate::status::{State, state};

use super::fixture::{at, cluster_addon, condition, desired, entries};

const NO_TIME: State = State::Progressing { started: None, since: None };
const DONE: State = State::Succeeded { since: None };

fn progressing(reason: &str) -> Condition {
    condition("Progressing", "True", reason, 50)
}

/// Configured since second 40.
fn configured(status: &'static str) -> Condition {
    condition("Configured", status, "R", 40)
}

#[test]
fn each_form_tells_how_far_a_cluster_is() {
    let (to_apply, since_50) = (State::ToApply, Some(at(50)));
    let under_way = |started: Option<i64>, since| State::Progressing { started: started.map(at), since };
    let table = [
        ("nothing yet", "", "a/x=1", vec![], to_apply, to_apply),
        ("fewer than desired", "a/x=1<1", "a/x=1 b/y=2", vec![], to_apply, to_apply),
        ("more than desired", "a/x=1<1 b/y=2<2", "a/x=1", vec![], to_apply, to_apply),
        ("another object", "a/x=1<1", "a/y=1", vec![], to_apply, to_apply),
        ("another kind", "a/x=1<1", "b/x=1", vec![], to_apply, to_apply),
        ("another hash", "a/x=1<1", "a/x=2", vec![], to_apply, to_apply),
        ("told, without a word", "a/x=1", "a/x=1", vec![], NO_TIME, NO_TIME),
        ("told, with an old start", "a/x=1<0", "a/x=1", vec![configured("True")], NO_TIME, under_way(Some(40), None)),
        ("told, but it waits", "a/x=1<0", "a/x=1", vec![configured("False")], NO_TIME, NO_TIME),
        (
            "under way",
            "a/x=1",
            "a/x=1",
            vec![progressing("Progressing")],
            under_way(None, since_50),
            under_way(None, since_50),
        ),
        ("an old completion", "a/x=1<0", "a/x=1", vec![progressing("Completed")], NO_TIME, NO_TIME),
        ("waits for something", "a/x=1<0", "a/x=1", vec![progressing("WaitingForManifestApplied")], NO_TIME, NO_TIME),
        ("a failure", "a/x=1<0", "a/x=1", vec![progressing("Failed")], State::Failed { since: at(50) }, NO_TIME),
        (
            "done",
            "a/x=1<1",
            "a/x=1",
            vec![progressing("Completed")],
            State::Succeeded { since: since_50 },
            State::Succeeded { since: since_50 },
        ),
        ("done, but not well", "a/x=1<1", "a/x=1", vec![progressing("Progressing")], DONE, DONE),
        ("done, in another order", "b/y=2<2 a/x=1<1", "a/x=1 b/y=2", vec![], DONE, DONE),
        ("no hash is known", "a/x=<", "a/x=", vec![], DONE, DONE),
        ("nothing to have, not told so", "", "", vec![], DONE, to_apply),
        ("nothing to have, told so", "", "", vec![configured("True")], DONE, DONE),
        ("one is under way, another changes", "a/x=1<0 b/y=2<2", "a/x=1 b/y=3", vec![], NO_TIME, to_apply),
        ("one changes, another is under way", "a/x=1<1 b/y=2<0", "a/x=9 b/y=2", vec![], to_apply, to_apply),
        ("one is there twice", "a/x=1<1 a/x=1<1", "a/x=1 b/y=2", vec![], DONE, DONE),
        ("one lacks its object, after one that changes", "a/x=1<1 b/?", "a/x=2 b/y=1", vec![], to_apply, to_apply),
    ];
    for (what, observed, wanted, conditions, compat, strict) in table {
        let addon = cluster_addon(&entries(observed), &conditions);
        assert_eq!(state::compat(&addon, &desired(wanted)), Ok(compat), "compat: {what}");
        assert_eq!(state::strict(&addon, &desired(wanted)), strict, "strict: {what}");
    }
}

#[test]
fn upstream_crashes_over_an_entry_without_object_that_it_comes_to() {
    let addon = cluster_addon(&entries("a/x=1<1 b/?"), &[]);
    state::compat(&addon, &desired("a/x=1 b/y=1")).unwrap_err();
    assert_eq!(state::strict(&addon, &desired("a/x=1 b/y=1")), State::ToApply);
}

#[test]
fn an_addon_without_status_is_to_be_given_everything() {
    let mut addon = cluster_addon::<ManagedClusterAddOn>(&[], &[]);
    addon.status = None;
    assert_eq!(state::strict(&addon, &desired("a/x=1")), State::ToApply);
    assert_eq!(state::compat(&addon, &desired("a/x=1")), Ok(State::ToApply));
}
