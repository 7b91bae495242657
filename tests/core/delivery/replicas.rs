//! The number of replicas of a workload that an autoscaler scales: it is kept until the cluster reports that the autoscaler has set it.

use serde_json::{Value, json};
use tidegate_api::ocm::manifest_work::ManifestConfigOption;
use tidegate_delivery::{Rendered, Works, scaling_rule, work_writes};

use super::builders::{Existing, Setting, deploying, existing};

const HPA: &str = "kube-controller-manager";

fn workload(kind: &str, replicas: Value, image: &str) -> Value {
    let container = json!({ "name": "c", "image": image });
    let mut workload = json!({
        "apiVersion": "apps/v1", "kind": kind, "metadata": { "name": "web", "namespace": "shop" },
        "spec": { "template": { "spec": { "containers": [container] } } },
    });
    if !replicas.is_null() {
        workload["spec"]["replicas"] = replicas;
    }
    workload
}

fn deployment(replicas: Value, image: &str) -> Value {
    workload("Deployment", replicas, image)
}

fn config(force: bool) -> ManifestConfigOption {
    serde_json::from_value(json!({
        "resourceIdentifier": { "group": "apps", "resource": "deployments", "namespace": "shop", "name": "web" },
        "feedbackRules": [scaling_rule()],
        "updateStrategy": {
            "type": "ServerSideApply", "serverSideApply": { "fieldManager": "work-agent", "force": force },
        },
    }))
    .unwrap()
}

/// What the agent reports about a work of generation 1.
#[derive(Clone, Copy)]
struct Report {
    applied: &'static str,
    /// The generation of the conditions `Applied` and `Available`.
    observed: [i64; 2],
    replicas: Option<i64>,
    owner: Option<&'static str>,
}

const QUIET: Report = Report { applied: "True", observed: [1, 1], replicas: None, owner: None };

/// Returns a work with a manifest as the hub has it.
fn held(manifest: &Value, force: bool, report: Option<Report>) -> Existing {
    let mut work = json!({
        "metadata": { "name": "addon-hello-deploy-0", "namespace": "cluster1" },
        "spec": { "workload": { "manifests": [manifest] }, "manifestConfigs": [config(force)] },
    });
    if let Some(Report { applied, observed, replicas, owner }) = report {
        let condition = |type_: &str, status: &str, observed: i64| {
            json!({
                "type": type_, "status": status, "reason": "r", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z",
                "observedGeneration": observed,
            })
        };
        let replicas = replicas.map(
            |number| json!({ "name": "TidegateDesiredReplicas", "fieldValue": { "type": "Integer", "integer": number } }),
        );
        let owner = owner
            .map(|owner| json!({ "name": "TidegateScaledBy", "fieldValue": { "type": "String", "string": owner } }));
        work["status"] = json!({
            "conditions": [condition("Applied", applied, observed[0]), condition("Available", "True", observed[1])],
            "resourceStatus": { "manifests": [{
                "resourceMeta": {
                    "ordinal": 0, "group": "apps", "version": "v1", "kind": manifest["kind"], "resource": "deployments",
                    "namespace": "shop", "name": "web",
                },
                "statusFeedback": { "values": replicas.into_iter().chain(owner).collect::<Vec<_>>() },
                "conditions": [],
            }] },
        });
    }
    [existing(work)].into()
}

fn setting(existing: Existing) -> Setting {
    Setting { template_configs: vec![config(false)], existing, ..Setting::default() }
}

fn works(rendered: &Rendered, existing: &Existing) -> Works {
    setting(existing.clone()).works(rendered)
}

/// Returns the number in the manifest that a cluster gets next.
fn next(rendered: Value, existing: &Existing) -> Option<i64> {
    works(&deploying(vec![rendered]), existing).apply[0].manifests[0]["spec"]["replicas"].as_i64()
}

/// Returns the number that follows a work with 5 replicas.
fn after(report: Report) -> Option<i64> {
    next(deployment(Value::Null, "web:2"), &held(&deployment(json!(5), "web:1"), false, Some(report)))
}

#[test]
fn without_a_report_of_another_owner_the_number_stays() {
    let silent = held(&deployment(json!(5), "web:1"), false, None);
    assert_eq!(next(deployment(Value::Null, "web:2"), &silent), Some(5), "the agent has reported nothing");
    assert_eq!(after(QUIET), Some(5), "the autoscaler has done nothing yet");
    for owner in ["", "work-agent", "work-agent-shop"] {
        assert_eq!(after(Report { owner: Some(owner), ..QUIET }), Some(5), "{owner:?} is no other owner");
    }
}

#[test]
fn a_report_on_another_version_of_the_work_does_not_count() {
    for observed in [[0, 0], [0, 1], [1, 0], [2, 2]] {
        assert_eq!(after(Report { observed, owner: Some(HPA), ..QUIET }), Some(5), "{observed:?}");
    }
    // The work did not ask for it, so this is left from an earlier one.
    let mut held = held(&deployment(json!(5), "web:1"), false, Some(Report { owner: Some(HPA), ..QUIET }));
    let work = std::sync::Arc::make_mut(held.values_mut().next().unwrap());
    work.spec.manifest_configs.clear();
    assert_eq!(next(deployment(Value::Null, "web:2"), &held), Some(5));
}

#[test]
fn an_agent_that_takes_fields_back_never_shows_another_owner() {
    let forced = held(&deployment(json!(5), "web:1"), true, Some(Report { owner: Some(HPA), ..QUIET }));
    assert_eq!(next(deployment(Value::Null, "web:2"), &forced), Some(5));
}

#[test]
fn the_larger_of_the_two_numbers_stays() {
    for (reported, kept) in [(8, 8), (3, 5), (0, 5), (-1, 5), (i64::MAX, 5)] {
        assert_eq!(after(Report { replicas: Some(reported), ..QUIET }), Some(kept), "{reported}");
    }
}

#[test]
fn once_another_manager_owns_the_number_it_is_left_out_for_good() {
    let owned = Report { owner: Some(HPA), replicas: Some(8), ..QUIET };
    assert_eq!(after(owned), None);
    assert_eq!(after(Report { replicas: Some(2), ..owned }), None, "also if it has scaled down");
    assert_eq!(after(Report { applied: "False", ..owned }), None, "also if the two numbers conflict");
    let left = held(&deployment(Value::Null, "web:1"), false, Some(Report { owner: None, replicas: Some(8), ..QUIET }));
    assert_eq!(next(deployment(Value::Null, "web:2"), &left), None, "whatever is reported later");
}

/// Returns the number that follows a work with 5 replicas that the cluster has refused with this message, in a report on this generation.
fn after_refusal(message: &str, observed: i64, force: bool) -> Option<i64> {
    let report = Report { applied: "False", replicas: Some(2), ..QUIET };
    let mut held = held(&deployment(json!(5), "web:1"), force, Some(report));
    let work = std::sync::Arc::make_mut(held.values_mut().next().unwrap());
    let applied = json!({
        "type": "Applied", "status": "False", "reason": "AppliedManifestFailed", "message": message,
        "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": observed,
    });
    let reports = &mut work.status.as_mut().unwrap().resource_status.as_mut().unwrap().manifests;
    reports[0].conditions = vec![serde_json::from_value(applied).unwrap()];
    next(deployment(Value::Null, "web:2"), &held)
}

#[test]
fn a_conflict_shows_who_owns_a_number_that_was_not_set_by_scaling() {
    // As an API server of Kubernetes 1.36 words it, after `kubectl patch`.
    let refused = |conflict: &str| format!("Failed to apply manifest: Apply failed with {conflict}");
    let patched = refused("1 conflict: conflict with \"kubectl-patch\" using apps/v1: .spec.replicas");
    assert_eq!(after_refusal(&patched, 1, false), None);
    assert_eq!(after_refusal(&patched, 0, false), Some(5), "it is about an earlier version of the work");
    assert_eq!(after_refusal(&patched, 1, true), Some(5), "the agent takes the field back");
    for other in [
        "1 conflict: conflict with \"work-agent-shop\" using apps/v1: .spec.replicas",
        "1 conflict: conflict with \"kubectl-patch\" using apps/v1: .spec.paused",
        "2 conflicts: conflicts with \"kubectl-patch\" using apps/v1:\n- .spec.paused\n- .spec.replicas",
    ] {
        assert_eq!(after_refusal(&refused(other), 1, false), Some(5), "{other}");
    }
}

#[test]
fn a_workload_at_zero_and_a_new_one_get_no_number() {
    let idle = held(&deployment(json!(0), "web:1"), false, Some(QUIET));
    assert_eq!(next(deployment(Value::Null, "web:1"), &idle), None);
    assert_eq!(next(deployment(Value::Null, "web:1"), &Existing::new()), None);
    // One whose number is only given at first keeps it, and not the one that is given later.
    assert_eq!(next(deployment(json!(4), "web:1"), &Existing::new()), Some(4));
    assert_eq!(next(deployment(json!(4), "web:1"), &held(&deployment(json!(3), "web:1"), false, None)), Some(3));
}

#[test]
fn another_workload_with_the_same_name_is_not_touched() {
    let [of_set, of_deployment] = [workload("StatefulSet", json!(7), "db:1"), deployment(json!(5), "web:1")];
    let mut held = held(&of_deployment, false, Some(QUIET));
    let work = std::sync::Arc::make_mut(held.values_mut().next().unwrap());
    let mut manifests: Value = serde_json::to_value(&work.spec.workload).unwrap();
    manifests["manifests"].as_array_mut().unwrap().push(of_set);
    work.spec.workload = serde_json::from_value(manifests).unwrap();
    let rendered = deploying(vec![deployment(Value::Null, "web:2"), workload("StatefulSet", json!(2), "db:2")]);
    let works = works(&rendered, &held);
    let numbers: Vec<&Value> = works.apply[0].manifests.iter().map(|manifest| &manifest["spec"]["replicas"]).collect();
    assert_eq!(numbers, [&json!(5), &json!(2)]);
}

#[test]
fn a_kept_number_is_the_content_of_the_work_and_is_written_once() {
    let rendered = deploying(vec![deployment(Value::Null, "web:2")]);
    let before = held(&deployment(json!(5), "web:1"), false, None);
    let wanted = works(&rendered, &before);
    assert!(wanted.follows_reports);
    assert_eq!(work_writes(&wanted, &before).len(), 1);
    let object = wanted.apply[0].object();
    let written: Existing = [existing(object)].into();
    let again = works(&rendered, &written);
    assert_eq!(work_writes(&again, &written), [], "the number that is kept is the one that is wanted");
    assert!(again.follows_reports, "the next report may change it");
    let without = held(&deployment(Value::Null, "web:2"), false, Some(QUIET));
    assert!(!works(&rendered, &without).follows_reports, "nothing is left to wait for");
}
