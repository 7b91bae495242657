//! Rollouts of applications: a controller on the cluster replaces replicas in batches. What counts as evidence, and what is stale.

use serde_json::{Value, json};
use tidegate_api::ocm::manifest_work::ResourceIdentifier;
use tidegate_delivery::{Evidence, Template, WorkOwner, cause, doubt, failure, generations, health, links};

use super::builders::{Setting, cluster, cluster1, existing, hello, template};
use super::health::condition;

const STANDARD: &str = "standard.oam.dev";

/// A Rollout to revision v2 with this size, in batches of one.
fn manifest(size: i64) -> Value {
    let batches: Vec<Value> = (0..size).map(|_| json!({ "replicas": 1 })).collect();
    json!({
        "apiVersion": "standard.oam.dev/v1alpha1", "kind": "Rollout", "metadata": { "name": "w", "namespace": "n" },
        "spec": {
            "targetRevisionName": "v2", "componentName": "w",
            "rolloutPlan": { "rolloutStrategy": "IncreaseFirst", "targetSize": size, "rolloutBatches": batches },
        },
    })
}

/// Judges a Rollout by what a cluster reports: whether it is available, what is in doubt, what has failed, and the cause.
fn judged(group: &str, manifest: &Value, values: &[(&str, Value)]) -> String {
    let value = |(name, value): &(&str, Value)| {
        let of_type = if value.is_string() { "string" } else { "integer" };
        json!({ "name": name, "fieldValue": { "type": of_type, of_type: value } })
    };
    let report = json!({
        "resourceMeta": { "ordinal": 0, "group": group, "kind": "Rollout", "resource": "rollouts", "name": "w", "namespace": "n" },
        "statusFeedback": { "values": values.iter().map(value).collect::<Vec<_>>() },
        "conditions": [condition("Applied", "True"), condition("Available", "True")],
    });
    let works = [existing(json!({
        "metadata": { "name": "addon-hello-deploy-0", "namespace": "cluster1", "generation": 1 },
        "spec": { "workload": { "manifests": [manifest] } },
        "status": {
            "conditions": [condition("Applied", "True"), condition("Available", "True")],
            "resourceStatus": { "manifests": [report] },
        },
    }))]
    .into();
    let probe = ResourceIdentifier {
        group: group.into(),
        resource: "rollouts".into(),
        name: "w".into(),
        namespace: "n".into(),
    };
    let (owner, cluster) = (WorkOwner::addon(&hello()), cluster(json!({ "name": "cluster1" }), json!({})));
    let evidence = Evidence {
        owner: &owner,
        cluster: &cluster,
        works: &works,
        probes: &[probe],
        conditioned: &[],
        has_manifest_applied: true,
    };
    let or = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    format!(
        "available: {}\ndoubt: {}\nfailure: {}\ncause: {}\nlink: {:?}\n",
        health(&evidence).unwrap().status,
        or(doubt(&evidence)),
        or(failure(&evidence)),
        or(cause(&owner, &cluster, &works).map(|cause| cause.to_string())),
        links(&works["addon-hello-deploy-0"])[2].holds,
    )
}

/// A rollout of two replicas to revision v2 that is done.
fn done() -> Vec<(&'static str, Value)> {
    vec![
        ("TidegateGeneration", json!(3)),
        ("TidegateTargetRevision", json!("v2")),
        ("TidegateTargetSize", json!(2)),
        ("TidegateRollingState", json!("rolloutSucceed")),
        ("TidegateLastTargetRevision", json!("v2")),
        ("TidegateRolloutTargetSize", json!(2)),
        ("TidegateCurrentBatch", json!(1)),
        ("TidegateUpgradedReadyReplicas", json!(2)),
    ]
}

/// Judges a Rollout whose size is that of its workload.
fn without_size(state: &str) -> String {
    let mut manifest = manifest(2);
    manifest["spec"]["rolloutPlan"].as_object_mut().unwrap().remove("targetSize");
    let mut values = done();
    values.retain(|(name, _)| !["TidegateTargetSize", "TidegateRollingState"].contains(name));
    values.push(("TidegateRollingState", json!(state)));
    judged(STANDARD, &manifest, &values)
}

fn but(changes: &[(&'static str, Value)]) -> String {
    let others = done().into_iter().filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    let changes = changes.iter().filter(|(_, value)| !value.is_null());
    judged(STANDARD, &manifest(2), &others.chain(changes.cloned()).collect::<Vec<_>>())
}

#[test]
fn a_rollout_counts_only_with_the_revision_and_the_size_that_it_should_have() {
    let state = |state: &str| ("TidegateRollingState", json!(state));
    let last = |revision: Value| ("TidegateLastTargetRevision", revision);
    let ready = |ready: i64| ("TidegateUpgradedReadyReplicas", json!(ready));
    let cases = [
        ("done", but(&[])),
        ("the status of the revision before", but(&[last(json!("v1"))])),
        (
            "no status yet",
            but(&[last(Value::Null), state("").clone(), ready(0), ("TidegateRolloutTargetSize", Value::Null)]),
        ),
        ("the object before the change", but(&[("TidegateTargetRevision", json!("v1")), last(json!("v1"))])),
        (
            "the size before the change",
            but(&[("TidegateTargetSize", json!(1)), ("TidegateRolloutTargetSize", json!(1)), ready(1)]),
        ),
        ("the status of the size before", but(&[("TidegateRolloutTargetSize", json!(4))])),
        ("in the first batch", but(&[state("rollingInBatches"), ("TidegateCurrentBatch", json!(0)), ready(1)])),
        ("in the second batch", but(&[state("rollingInBatches"), ready(1)])),
        (
            "before the first pod",
            but(&[
                state("initializing"),
                ("TidegateCurrentBatch", Value::Null),
                ("TidegateUpgradedReadyReplicas", Value::Null),
            ]),
        ),
        ("a success with a pod that is not ready", but(&[ready(1)])),
        ("a success with more pods than wanted", but(&[ready(3)])),
        ("failed", but(&[state("rolloutFailed"), ready(1)])),
        ("failed with the revision before", but(&[state("rolloutFailed"), last(json!("v1"))])),
        ("failed with the size before", but(&[state("rolloutFailed"), ("TidegateRolloutTargetSize", json!(4))])),
        ("an odd number", but(&[("TidegateUpgradedReadyReplicas", json!("2"))])),
        ("a negative batch", but(&[state("rollingInBatches"), ("TidegateCurrentBatch", json!(i64::MAX)), ready(-1)])),
        ("nothing is reported", judged(STANDARD, &manifest(2), &[])),
        ("without a size of its own", without_size("rolloutSucceed")),
        ("under way without a size of its own", without_size("rollingInBatches")),
        ("of size 0", judged(STANDARD, &manifest(0), &[])),
    ];
    let text: String = cases.iter().map(|(what, judged)| format!("# {what}\n{judged}")).collect();
    insta::assert_snapshot!("rollouts", text);
}

#[test]
fn other_rollouts_count_with_their_phase_and_the_generation_that_was_processed() {
    let of = |group: &str, values: &[(&str, Value)]| {
        let manifest = json!({
            "apiVersion": format!("{group}/v1alpha1"), "kind": "Rollout", "metadata": { "name": "w", "namespace": "n" }, "spec": {},
        });
        judged(group, &manifest, values)
    };
    let with = |phase: &str, observed: Value| {
        [("TidegateGeneration", json!(3)), ("TidegateObservedGeneration", observed), ("TidegatePhase", json!(phase))]
    };
    let (argo, kruise) = ("argoproj.io", "rollouts.kruise.io");
    let cases = [
        ("healthy", of(argo, &with("Healthy", json!("3")))),
        ("healthy before", of(argo, &with("Healthy", json!("2")))),
        ("healthy, and an odd generation", of(argo, &with("Healthy", json!("f3")))),
        ("under way", of(argo, &with("Progressing", json!("3")))),
        ("degraded", of(argo, &with("Degraded", json!("3")))),
        ("degraded before", of(argo, &with("Degraded", json!("2")))),
        ("without a status", of(argo, &[("TidegateGeneration", json!(1))])),
        ("healthy, of OpenKruise", of(kruise, &with("Healthy", json!(3)))),
        ("healthy before, of OpenKruise", of(kruise, &with("Healthy", json!(2)))),
        ("under way, of OpenKruise", of(kruise, &with("Progressing", json!(3)))),
    ];
    let text: String = cases.iter().map(|(what, judged)| format!("# {what}\n{judged}")).collect();
    insta::assert_snapshot!("other_rollouts", text);
}

#[test]
fn what_is_asked_about_rollouts() {
    let objects = json!([
        manifest(2),
        { "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": { "name": "a", "namespace": "n" }, "spec": { "replicas": 0 } },
        { "apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": { "name": "k", "namespace": "n" } },
        { "apiVersion": "example.com/v1", "kind": "Rollout", "metadata": { "name": "o", "namespace": "n" } },
    ]);
    let rendered = Template::plain(&template(objects, Value::Null)).unwrap().render(&cluster1()).unwrap();
    let names: Vec<&str> = rendered.probes.iter().map(|probe| probe.name.as_str()).collect();
    // One with 0 replicas has nothing to judge.
    assert_eq!(names, ["w", "k"]);
    let asked = Setting::default().works(&rendered).apply[0].frame["spec"]["manifestConfigs"].clone();
    insta::assert_snapshot!("what_is_asked_about_rollouts", serde_json::to_string_pretty(&asked).unwrap());
}

#[test]
fn the_generation_of_a_rollout_proves_that_a_report_is_new() {
    let report = json!({
        "resourceMeta": { "ordinal": 0, "group": STANDARD, "kind": "Rollout", "resource": "rollouts", "name": "w", "namespace": "n" },
        "statusFeedback": { "values": [{ "name": "TidegateGeneration", "fieldValue": { "type": "Integer", "integer": 7 } }] },
        "conditions": [],
    });
    let works = [existing(json!({
        "metadata": { "name": "addon-hello-deploy-0", "namespace": "cluster1" },
        "spec": { "workload": { "manifests": [manifest(2)] } },
        "status": { "conditions": [], "resourceStatus": { "manifests": [report] } },
    }))]
    .into();
    let probe = ResourceIdentifier {
        group: STANDARD.into(),
        resource: "rollouts".into(),
        name: "w".into(),
        namespace: "n".into(),
    };
    let (owner, cluster) = (WorkOwner::addon(&hello()), cluster1());
    let evidence = Evidence {
        owner: &owner,
        cluster: &cluster,
        works: &works,
        probes: &[probe],
        conditioned: &[],
        has_manifest_applied: true,
    };
    assert_eq!(generations(&evidence), [("rollouts n/w".to_owned(), 7)].into());
}
