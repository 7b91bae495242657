//! The number of replicas of a workload, on the cluster and in its manifest, and which report is about which object.

use serde_json::{Value, json};
use tidegate_api::ocm::manifest_work::ResourceIdentifier;
use tidegate_delivery::{Evidence, WorkOwner, cause, doubt, health, links, scaling_rule};

use super::builders::{Existing, cluster, existing, hello};
use super::health::{condition, integers};

fn deployment(replicas: Option<i64>) -> Value {
    let spec = replicas.map_or_else(|| json!({}), |replicas| json!({ "replicas": replicas }));
    json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "w", "namespace": "n" }, "spec": spec })
}

fn of_deployment() -> ResourceIdentifier {
    ResourceIdentifier { group: "apps".into(), resource: "deployments".into(), name: "w".into(), namespace: "n".into() }
}

/// A work with manifests, one or more configurations of how the agent applies them, and what it reports.
fn work(manifests: &Value, config: Value, reports: &Value) -> Existing {
    let configs = match config {
        Value::Null => json!([]),
        Value::Array(_) => config,
        config => json!([config]),
    };
    [existing(json!({
        "metadata": { "name": "addon-hello-deploy-0", "namespace": "cluster1", "generation": 1 },
        "spec": { "workload": { "manifests": manifests }, "manifestConfigs": configs },
        "status": {
            "conditions": [condition("Applied", "True"), condition("Available", "True")],
            "resourceStatus": { "manifests": reports },
        },
    }))]
    .into()
}

fn report(kind: &str, resource: &str, values: &[(&str, i64)]) -> Value {
    json!({
        "resourceMeta": {
            "ordinal": 0, "group": "apps", "version": "v1", "kind": kind, "resource": resource, "name": "w", "namespace": "n",
        },
        "statusFeedback": { "values": integers(values) },
        "conditions": [condition("Applied", "True"), condition("Available", "True")],
    })
}

/// Returns the doubt about the Deployment, if it is a probe.
fn doubted(works: &Existing, is_probed: bool) -> Option<String> {
    let (owner, cluster) = (WorkOwner::addon(&hello()), cluster(json!({ "name": "cluster1" }), json!({})));
    let probes = [of_deployment()];
    let probes = if is_probed { &probes[..] } else { &[] };
    doubt(&Evidence { owner: &owner, cluster: &cluster, works, probes, conditioned: &[], has_manifest_applied: true })
}

fn caused(works: &Existing) -> String {
    let cluster = cluster(json!({ "name": "cluster1" }), json!({}));
    cause(&WorkOwner::addon(&hello()), &cluster, works).map(|cause| cause.to_string()).unwrap_or_default()
}

/// Everything that is ready, of this number of replicas.
fn ready(desired: i64) -> Vec<(&'static str, i64)> {
    vec![
        ("TidegateGeneration", 2),
        ("TidegateObservedGeneration", 2),
        ("TidegateDesiredReplicas", desired),
        ("TidegateUpdatedReplicas", desired),
        ("Replicas", desired),
        ("ReadyReplicas", desired),
    ]
}

/// A Deployment whose manifest has 3 replicas, and that is ready with another number.
fn of(desired: i64, config: Value) -> Existing {
    work(&json!([deployment(Some(3))]), config, &json!([report("Deployment", "deployments", &ready(desired))]))
}

fn strategy(strategy: Value) -> Value {
    json!({ "resourceIdentifier": of_deployment(), "updateStrategy": strategy })
}

#[test]
fn a_cluster_with_another_number_of_replicas_than_the_manifest_is_not_done() {
    assert_eq!(doubted(&of(3, Value::Null), true), None);
    for other in [1, 5] {
        let why = format!(
            "deployments n/w has {other} replicas on the cluster and 3 in its manifest: scale it back, write the number of the cluster in a \
             commit, or declare what scales it"
        );
        assert_eq!(doubted(&of(other, Value::Null), true), Some(why));
        let why = format!(
            "Deployment n/w has another number of replicas on the cluster than in its manifest; scale it back, write the number of the cluster in \
             a commit, or declare what scales it: {other} and 3"
        );
        assert_eq!(caused(&of(other, Value::Null)), why);
        assert!(links(&of(other, Value::Null)["addon-hello-deploy-0"])[2].reports.contains("and 3 in its manifest"));
    }
}

#[test]
fn an_agent_that_does_not_report_the_wanted_number_must_report_that_many_ready_replicas() {
    let reported = |replicas: i64| {
        let values = [("Replicas", replicas), ("ReadyReplicas", replicas)];
        work(&json!([deployment(Some(3))]), Value::Null, &json!([report("Deployment", "deployments", &values)]))
    };
    assert_eq!(doubted(&reported(3), true), None);
    assert_eq!(doubted(&reported(1), true).unwrap(), "1 of 3 replicas of deployments n/w are ready");
}

#[test]
fn a_number_that_the_agent_does_not_keep_may_be_another_one() {
    let ignored = json!([{ "condition": "OnSpokeChange", "jsonPointers": ["/spec/replicas"] }]);
    let free = [
        strategy(json!({ "type": "CreateOnly" })),
        strategy(json!({ "type": "ReadOnly" })),
        strategy(json!({ "type": "ServerSideApply", "serverSideApply": { "ignoreFields": ignored } })),
        json!({ "resourceIdentifier": of_deployment(), "feedbackRules": [scaling_rule()] }),
    ];
    let mut wildcard = strategy(json!({ "type": "CreateOnly" }));
    wildcard["resourceIdentifier"]["name"] = json!("*");
    // In the works of an add-on, an entry for the workload without a strategy comes first.
    let own = json!({ "resourceIdentifier": of_deployment(), "feedbackRules": [] });
    let behind = json!([own, wildcard.clone()]);
    for config in free.into_iter().chain([wildcard, behind]) {
        assert_eq!(doubted(&of(5, config.clone()), true), None, "{config}");
    }
    let other = json!([{ "condition": "OnSpokeChange", "jsonPointers": ["/spec/template/spec/containers/0/env"] }]);
    let kept = [
        json!({ "type": "Update" }),
        json!({ "type": "ServerSideApply", "serverSideApply": { "force": true } }),
        json!({ "type": "ServerSideApply", "serverSideApply": { "ignoreFields": other } }),
    ];
    for config in kept {
        assert!(doubted(&of(5, strategy(config.clone())), true).is_some(), "{config}");
    }
}

#[test]
fn an_autoscaler_of_the_unit_sets_the_number_and_that_of_another_workload_does_not() {
    let autoscaler = |target: &str| {
        json!({
            "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": { "name": "h", "namespace": "n" },
            "spec": { "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "Deployment", "name": target } },
        })
    };
    let with = |target: &str| {
        let manifests = json!([deployment(Some(3)), autoscaler(target)]);
        work(&manifests, Value::Null, &json!([report("Deployment", "deployments", &ready(5))]))
    };
    assert_eq!(doubted(&with("w"), true), None);
    assert!(doubted(&with("other"), true).is_some());
    // Its object may be in another work of the unit.
    let mut works = of(5, Value::Null);
    assert!(doubted(&works, true).is_some());
    works.extend([existing(json!({
        "metadata": { "name": "addon-hello-deploy-1", "namespace": "cluster1", "generation": 1 },
        "spec": { "workload": { "manifests": [autoscaler("w")] } },
        "status": { "conditions": [condition("Applied", "True"), condition("Available", "True")] },
    }))]);
    assert_eq!(doubted(&works, true), None);
}

#[test]
fn a_manifest_without_a_number_or_with_zero_replicas() {
    let of = |replicas: Option<i64>, desired: i64| {
        let values = ready(desired);
        work(&json!([deployment(replicas)]), Value::Null, &json!([report("Deployment", "deployments", &values)]))
    };
    assert_eq!(doubted(&of(None, 5), true), None);
    assert_eq!(doubted(&of(Some(0), 0), false), None);
    assert!(doubted(&of(Some(0), 2), false).unwrap().contains("has 2 replicas on the cluster and 0 in its manifest"));
}

#[test]
fn a_workload_that_people_scaled_to_zero_is_done_where_the_agent_does_not_keep_the_number() {
    let idle = [("TidegateGeneration", 2), ("TidegateObservedGeneration", 2), ("TidegateDesiredReplicas", 0)];
    let of = |values: &[(&str, i64)], config: Value| {
        work(&json!([deployment(Some(3))]), config, &json!([report("Deployment", "deployments", values)]))
    };
    let read_only = || strategy(json!({ "type": "ReadOnly" }));
    let done = of(&idle, read_only());
    assert_eq!((doubted(&done, true), caused(&done)), (None, String::new()));
    let (owner, cluster) = (WorkOwner::addon(&hello()), cluster(json!({ "name": "cluster1" }), json!({})));
    let probes = [of_deployment()];
    let evidence = Evidence {
        owner: &owner,
        cluster: &cluster,
        works: &done,
        probes: &probes,
        conditioned: &[],
        has_manifest_applied: true,
    };
    let claim = health(&evidence).unwrap();
    assert_eq!(
        (claim.status, claim.message.as_str()),
        ("True", "hello add-on is available; deployments n/w is scaled to 0.")
    );
    assert!(links(&done["addon-hello-deploy-0"])[2].reports.starts_with("exists, scaled to 0"));
    // Its pods are ending, or its controller has not seen it yet.
    assert!(doubted(&of(&[&idle[..], &[("Replicas", 1)]].concat(), read_only()), true).is_some());
    let unseen = [("TidegateGeneration", 3), ("TidegateObservedGeneration", 2), ("TidegateDesiredReplicas", 0)];
    assert!(doubted(&of(&unseen, read_only()), true).is_some());
    // Elsewhere, the number is the wrong one, and the reason says so.
    let why = doubted(&of(&idle, Value::Null), true).unwrap();
    assert!(why.starts_with("deployments n/w has 0 replicas on the cluster and 3 in its manifest"), "{why}");
}

#[test]
fn a_report_is_about_the_object_of_its_kind() {
    let (one, other) = (ready(3), [("Replicas", 9), ("ReadyReplicas", 0)]);
    let of = |reports: Value| doubted(&work(&json!([deployment(Some(3))]), Value::Null, &reports), true);
    // An agent that could not find out the resource of a kind, or guessed it, still names the kind.
    for resource in ["", "deploymentses"] {
        assert_eq!(of(json!([report("Deployment", resource, &one)])), None, "{resource:?}");
    }
    // Two kinds with one plural are two objects.
    let both = json!([report("DeploymentView", "deployments", &other), report("Deployment", "deployments", &one)]);
    assert_eq!(of(both), None);
    let only = json!([report("DeploymentView", "deployments", &one)]);
    assert_eq!(of(only).unwrap(), "the cluster has not reported the state of its workloads");
    // An agent that names no kind is known by the resource.
    assert_eq!(of(json!([report("", "deployments", &one)])), None);
}
