//! Tests of health and progress, read from the status of works.

use serde_json::{Value, json};

use tidegate_api::condition::Claim;
use tidegate_api::ocm::manifest_work::{ManifestWork, ResourceIdentifier};
use tidegate_delivery::{Evidence, WorkOwner, health, manifest_applied};

use super::builders::{Existing, cluster, existing, hello};

pub(super) fn condition(type_: &str, status: &str) -> Value {
    json!({
        "type": type_, "status": status, "reason": "R", "message": "why", "observedGeneration": 1,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    })
}

pub(super) fn work(name: &str, conditions: Value, manifests: Value) -> (String, std::sync::Arc<ManifestWork>) {
    existing(json!({
        "metadata": {"name": name, "namespace": "cluster1"},
        "spec": {"workload": {"manifests": []}},
        "status": {"conditions": conditions, "resourceStatus": {"manifests": manifests}},
    }))
}

pub(super) fn report(resource: &str, values: Value) -> Value {
    json!({
        "resourceMeta": {"ordinal": 0, "group": "apps", "resource": resource, "name": "w", "namespace": "n"},
        "statusFeedback": {"values": values},
        "conditions": [],
    })
}

pub(super) fn integers(values: &[(&str, i64)]) -> Value {
    values
        .iter()
        .map(|(name, value)| json!({"name": name, "fieldValue": {"type": "Integer", "integer": value}}))
        .collect()
}

pub(super) fn probe(resource: &str) -> ResourceIdentifier {
    ResourceIdentifier { group: "apps".into(), resource: resource.into(), name: "w".into(), namespace: "n".into() }
}

fn judged(works: &Existing, probes: &[ResourceIdentifier]) -> Option<Claim> {
    let cluster = cluster(json!({"name": "cluster1"}), json!({}));
    health(&Evidence {
        owner: &WorkOwner::addon(&hello()),
        cluster: &cluster,
        works,
        probes,
        conditioned: &[],
        has_manifest_applied: true,
    })
}

/// Judges one available work with one report; returns status, reason and message.
fn of_report(resource: &str, values: Value) -> (&'static str, String, String) {
    let works =
        [work("addon-hello-deploy-0", json!([condition("Available", "True")]), json!([report(resource, values)]))];
    let claim = judged(&works.into(), &[probe(resource)]).unwrap();
    (claim.status, claim.reason, claim.message)
}

fn available(status: &'static str, reason: &str, message: &str) -> Option<Claim> {
    Some(Claim::new("Available", status, reason, message))
}

#[test]
fn health_is_unknown_before_works_are_applied_and_while_the_cluster_is_unreachable() {
    let works = Existing::new();
    let seen = cluster(json!({"name": "c"}), json!({}));
    let unseen = json!({"conditions": [condition("ManagedClusterConditionAvailable", "Unknown")]});
    let unseen = cluster(json!({"name": "c"}), unseen);
    for (cluster, has_manifest_applied) in [(&seen, false), (&unseen, true)] {
        let evidence = Evidence {
            owner: &WorkOwner::addon(&hello()),
            cluster,
            works: &works,
            probes: &[],
            conditioned: &[],
            has_manifest_applied,
        };
        assert_eq!(health(&evidence), None);
    }
}

#[test]
fn a_missing_silent_or_unavailable_work_decides() {
    assert_eq!(judged(&Existing::new(), &[]), available("Unknown", "WorkNotFound", "Addon manifestWork is not found"));
    let fine = work("addon-hello-deploy-0", json!([condition("Available", "True")]), json!([]));
    let silent = work("addon-hello-deploy-1", json!([]), json!([]));
    let failing = work("addon-hello-deploy-1", json!([condition("Available", "False")]), json!([]));
    let unknown = available("Unknown", "WorkNotApplied", "Addon manifestWork is not applied yet");
    assert_eq!(judged(&[fine.clone(), silent].into(), &[]), unknown);
    assert_eq!(judged(&[fine.clone(), failing].into(), &[]), available("False", "WorkNotApplied", "why"));
    assert_eq!(judged(&[fine].into(), &[]), available("True", "ProbeAvailable", "hello add-on is available."));
}

#[test]
fn a_work_of_unknown_availability_is_not_an_obstacle() {
    let work = work("addon-hello-deploy-0", json!([condition("Available", "Unknown")]), json!([]));
    assert_eq!(judged(&[work].into(), &[]).unwrap().status, "True");
}

#[test]
fn health_is_unknown_without_any_probe_result_but_one_is_enough() {
    let reports = json!([report("deployments", integers(&[("ReadyReplicas", 1), ("Replicas", 1)]))]);
    let works = [work("addon-hello-deploy-0", json!([condition("Available", "True")]), reports)].into();
    let expected = available("Unknown", "NoProbeResult", "Probe results are not returned");
    assert_eq!(judged(&works, &[probe("daemonsets")]), expected);
    assert_eq!(judged(&works, &[probe("daemonsets"), probe("deployments")]).unwrap().status, "True");
}

#[test]
fn a_deployment_is_healthy_with_one_ready_replica_or_none_wanted() {
    let status =
        |ready, wanted| of_report("deployments", integers(&[("ReadyReplicas", ready), ("Replicas", wanted)])).0;
    assert_eq!(status(1, 3), "True");
    assert_eq!(status(0, 0), "True");
    assert_eq!(status(0, 3), "False");
}

#[test]
fn a_daemon_set_must_be_ready_on_every_node() {
    let judge = |ready| of_report("daemonsets", integers(&[("NumberReady", ready), ("DesiredNumberScheduled", 3)]));
    assert_eq!(judge(3).0, "True");
    let message =
        "Probe addon unavailable with err desiredNumberReplicas is 3 but readyReplica is 2 for daemonsets n/w";
    assert_eq!(judge(2), ("False", "ProbeUnavailable".into(), message.into()));
}

#[test]
fn a_missing_counter_is_unhealthy() {
    let message = |values: &[(&str, i64)]| of_report("deployments", integers(values)).2;
    assert_eq!(message(&[("Replicas", 1)]), "Probe addon unavailable with err readyReplica is not probed");
    assert_eq!(
        message(&[("ReadyReplicas", 1)]),
        "Probe addon unavailable with err desiredNumberReplicas is not probed"
    );
}

#[test]
fn a_counter_of_the_wrong_type_is_unhealthy() {
    let values = json!([{"name": "ReadyReplicas", "fieldValue": {"type": "String", "string": "1"}}]);
    let message = "Probe addon unavailable with err ReadyReplicas is not an integer";
    assert_eq!(of_report("deployments", values), ("False", "ProbeUnavailable".into(), message.into()));
}

#[test]
fn works_are_applied_once_the_agent_reports_all_of_them() {
    let applied = work("a", json!([condition("Applied", "True")]), json!([]));
    let refused = work("b", json!([condition("Applied", "False")]), json!([]));
    let held: Existing = [applied, refused].into();
    let said =
        |names: &[&str]| manifest_applied(names.iter().copied(), &held).map(|claim| (claim.status, claim.message));
    assert_eq!(said(&[]), Some(("True", "no manifest need to apply".into())));
    assert_eq!(said(&["a"]), Some(("True", "manifests of addon are applied successfully".into())));
    assert_eq!(said(&["a", "missing"]), None);
    assert_eq!(said(&["b", "a", "missing"]), Some(("False", "failed to apply the manifests of addon".into())));
}
