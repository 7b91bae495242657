//! How far a cluster is, in strict and in compat.

use serde_json::{Value, json};
use tidegate::api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate::model::decision::Semantics;
use tidegate::model::time::Timestamp;
use tidegate::plan::layer::Desired;
use tidegate::plan::state::{State, of};

const TEMPLATES: (&str, &str) = ("addon.open-cluster-management.io", "addontemplates");

fn at(hour: u8) -> Timestamp {
    format!("2026-03-01T{hour:02}:00:00Z").parse().unwrap()
}

fn desired(hash: &str) -> Vec<Desired> {
    let (group, resource) = TEMPLATES;
    let reference = json!({ "group": group, "resource": resource, "name": "hello" });
    vec![Desired { reference: serde_json::from_value(reference).unwrap(), spec_hash: hash.to_owned() }]
}

fn condition(type_: &str, status: &str, reason: &str, hour: u8) -> Value {
    json!({ "type": type_, "status": status, "reason": reason, "message": "", "lastTransitionTime": at(hour) })
}

/// An add-on that was told to take a hash, has another or the same, and says this of itself.
fn addon(told: &str, has: &str, conditions: &[Value]) -> ManagedClusterAddOn {
    let (group, resource) = TEMPLATES;
    let config = |hash: &str| json!({ "name": "hello", "specHash": hash });
    let reference = json!({ "group": group, "resource": resource, "desiredConfig": config(told), "lastAppliedConfig": config(has) });
    let object = json!({
        "metadata": { "name": "hello", "namespace": "c1" }, "spec": {},
        "status": { "configReferences": [reference], "conditions": conditions },
    });
    serde_json::from_value(object).unwrap()
}

/// Returns how far it is in strict, and in compat.
fn both(addon: &ManagedClusterAddOn) -> (State, State) {
    let desired = desired("new");
    (of(addon, &desired, Semantics::Strict), of(addon, &desired, Semantics::Compat))
}

#[test]
fn a_cluster_that_was_told_something_else_is_yet_to_start() {
    let addon = addon("old", "old", &[condition("Progressing", "False", "Completed", 1)]);
    assert_eq!(both(&addon), (State::ToApply, State::ToApply));
}

#[test]
fn a_deadline_runs_from_the_start_and_not_from_the_last_flip() {
    // Told at three; the agent answered at five, and only then the condition came to be.
    let conditions = [condition("Configured", "True", "", 3), condition("Progressing", "True", "Progressing", 5)];
    let strict = State::Progressing { started: Some(at(3)), since: None };
    assert_eq!(
        both(&addon("new", "old", &conditions)),
        (strict, State::Progressing { started: None, since: Some(at(5)) })
    );
}

#[test]
fn a_cluster_that_reports_nothing_has_a_start_all_the_same() {
    let strict = State::Progressing { started: Some(at(3)), since: None };
    let compat = State::Progressing { started: None, since: None };
    // Upstream measures the deadline of each of these from now, and so for ever.
    for reason in ["Completed", "WaitingForManifestApplied", "ConfigurationUnsupported"] {
        let conditions = [condition("Configured", "True", "", 3), condition("Progressing", "False", reason, 1)];
        assert_eq!(both(&addon("new", "old", &conditions)), (strict, compat), "{reason}");
    }
    assert_eq!(both(&addon("new", "old", &[condition("Configured", "True", "", 3)])), (strict, compat));
}

#[test]
fn a_cluster_that_was_done_and_is_not_well_is_under_way_again() {
    let conditions = [condition("Configured", "True", "", 3), condition("Progressing", "True", "Progressing", 5)];
    let strict = State::Progressing { started: Some(at(3)), since: Some(at(5)) };
    assert_eq!(both(&addon("new", "new", &conditions)), (strict, State::Succeeded { since: None }));
}

#[test]
fn a_cluster_that_does_not_say_that_it_is_done_is_not_done() {
    let conditions =
        [condition("Configured", "True", "", 3), condition("Progressing", "False", "ConfigurationUnsupported", 5)];
    let strict = State::Progressing { started: Some(at(3)), since: None };
    // Upstream lets its soak time begin anew with every look.
    assert_eq!(both(&addon("new", "new", &conditions)), (strict, State::Succeeded { since: None }));
}

#[test]
fn a_failure_in_the_soak_time_stays_a_failure() {
    let conditions = [condition("Configured", "True", "", 3), condition("Progressing", "False", "Failed", 5)];
    let failed = State::Failed { since: at(5) };
    assert_eq!(both(&addon("new", "new", &conditions)), (failed, State::Succeeded { since: None }));
    assert_eq!(both(&addon("new", "old", &conditions)), (failed, failed));
}

#[test]
fn a_cluster_that_is_done_has_been_so_since_its_condition_says_so() {
    let done = State::Succeeded { since: Some(at(5)) };
    assert_eq!(both(&addon("new", "new", &[condition("Progressing", "False", "Completed", 5)])), (done, done));
}
