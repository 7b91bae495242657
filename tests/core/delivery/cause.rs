//! Tests of the causes that the status of works shows, from what real agents report.

use serde_json::{Value, json};
use tidegate_delivery::{Cause, Kind, WorkOwner, cause};

use super::builders::{Existing, cluster, existing, hello};
use super::health::{condition, integers};

const REACHABLE: &str = "True";

fn seen(status: &str, message: &str) -> Value {
    let mut available = condition("ManagedClusterConditionAvailable", status);
    available["message"] = json!(message);
    json!({ "conditions": [available] })
}

/// Returns a work with a Deployment and a ClusterRole, at generation 1, with conditions that were observed at some generation.
fn work(observed: i64, applied: &str, available: &str, manifests: &Value) -> Existing {
    let at = |type_: &str, status: &str| {
        let mut condition = condition(type_, status);
        condition["observedGeneration"] = json!(observed);
        condition
    };
    let container = |image: &str| json!({ "name": "c", "image": image });
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "agent", "namespace": "hello" },
        "spec": { "template": { "spec": {
            "initContainers": [container("example.com/init:2")], "containers": [container("example.com/agent:3")],
        } } },
    });
    let role =
        json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": { "name": "r" } });
    [existing(json!({
        "metadata": { "name": "addon-hello-deploy-0", "namespace": "cluster1" },
        "spec": { "workload": { "manifests": [deployment, role] } },
        "status": {
            "conditions": [at("Applied", applied), at("Available", available)],
            "resourceStatus": { "manifests": manifests },
        },
    }))]
    .into()
}

fn report(ordinal: i32, conditions: Value, values: Value) -> Value {
    let meta = match ordinal {
        0 => json!({ "ordinal": 0, "group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments",
            "name": "agent", "namespace": "hello" }),
        _ => json!({ "ordinal": 1, "kind": "ClusterRole", "resource": "clusterroles", "name": "r" }),
    };
    json!({ "resourceMeta": meta, "statusFeedback": { "values": values }, "conditions": conditions })
}

fn refused(message: &str) -> Value {
    let mut condition = condition("Applied", "False");
    condition["message"] = json!(message);
    json!([report(1, json!([]), json!([])), report(0, json!([condition]), json!([]))])
}

fn found(works: &Existing, status: (&str, &str)) -> Option<Cause> {
    cause(&WorkOwner::addon(&hello()), &cluster(json!({ "name": "cluster1" }), seen(status.0, status.1)), works)
}

fn text(works: &Existing) -> String {
    found(works, (REACHABLE, "")).map(|cause| cause.to_string()).unwrap_or_default()
}

#[test]
fn a_refused_object_is_named_with_its_images_and_the_message_of_the_agent() {
    let works = work(1, "False", "False", &refused("Deployment.apps \"agent\" is invalid"));
    let cause = found(&works, (REACHABLE, "")).unwrap();
    assert_eq!(
        cause.to_string(),
        "the cluster does not accept Deployment hello/agent (images example.com/init:2, example.com/agent:3): \
         Deployment.apps \"agent\" is invalid"
    );
    assert_eq!((cause.kind, cause.reported), (Kind::Refused, Some("2026-01-01T00:00:00Z".parse().unwrap())));
    // An agent that reports nothing about single objects.
    let works = work(1, "False", "False", &json!([]));
    assert_eq!(text(&works), "the cluster does not accept ManifestWork addon-hello-deploy-0: why");
}

#[test]
fn a_number_of_replicas_that_an_autoscaler_owns_is_named_with_the_way_out() {
    let conflict = |manager: &str, field: &str| {
        let message = format!(
            "Failed to apply manifest: Apply failed with 1 conflict: conflict with \"{manager}\" with subresource \"scale\": {field}"
        );
        text(&work(1, "False", "True", &refused(&message)))
    };
    let object = "Deployment hello/agent (images example.com/init:2, example.com/agent:3)";
    let scaled = conflict("kube-controller-manager", ".spec.replicas");
    let what = format!(
        "{object} has a number of replicas that kube-controller-manager has set; a policy of type take-over sets it again, and a trait of type \
         hpa leaves it: Failed to apply manifest: "
    );
    assert!(scaled.starts_with(&what), "{scaled}");
    for other in [
        conflict("kube-controller-manager", ".spec.paused"),
        conflict("", ".spec.replicas"),
        conflict("a b", ".spec.replicas"),
        conflict(&"m".repeat(200), ".spec.replicas"),
    ] {
        assert!(other.starts_with(&format!("the cluster does not accept {object}: ")), "{other}");
    }
}

#[test]
fn a_silent_cluster_is_told_from_one_that_refuses() {
    let old = work(0, "True", "True", &json!([]));
    let silent =
        "the agent of the cluster has not reported on the current version of ManifestWork addon-hello-deploy-0";
    assert_eq!(text(&old), format!("{silent}: the last version that it reported on was applied"));
    let old = work(0, "False", "True", &refused("no"));
    assert_eq!(text(&old), format!("{silent}: the last version that it reported on was not applied"));
    let away = found(&old, ("Unknown", "Registration agent stopped updating its lease.")).unwrap();
    assert_eq!(away.kind, Kind::Unreachable);
    let why = "the hub does not hear from the cluster: Registration agent stopped updating its lease.";
    assert_eq!(away.to_string(), why);
    // What it reported before it was lost is the cause.
    let refusal = work(1, "False", "True", &refused("no"));
    assert_eq!(found(&refusal, ("Unknown", "x")).unwrap().kind, Kind::Refused);
}

#[test]
fn a_missing_object_and_a_workload_that_is_not_ready_are_named_without_numbers() {
    let missing = json!([report(1, json!([condition("Available", "False")]), json!([]))]);
    assert_eq!(text(&work(1, "True", "False", &missing)), "ClusterRole r does not exist on the cluster: why");
    let of = |ready: i64| {
        work(1, "True", "True", &json!([report(0, json!([]), integers(&[("Replicas", 3), ("ReadyReplicas", ready)]))]))
    };
    let idle =
        "Deployment hello/agent (images example.com/init:2, example.com/agent:3) is not ready in its current version";
    assert_eq!((text(&of(0)).as_str(), text(&of(2))), (idle, text(&of(0))));
    assert_eq!(found(&of(3), (REACHABLE, "")), None);
}

#[test]
fn a_hostile_message_is_short_and_breaks_no_line() {
    let works = work(1, "False", "False", &refused(&format!("a\n\u{1b}[2Jb\u{202e}: {}", "long ".repeat(100_000))));
    let text = text(&works);
    assert!(text.contains(": a \u{fffd}[2Jb\u{fffd}: long long") && text.ends_with('…'), "{text}");
    assert!(text.chars().count() < 400 && !text.contains(char::is_control), "{text}");
}

#[test]
fn a_message_whose_numbers_change_stays_as_it_was() {
    let of = |message: &str| found(&work(1, "False", "False", &refused(message)), (REACHABLE, "")).unwrap();
    let first = of("dial tcp 10.0.0.1:4711: i/o timeout").to_string();
    assert_eq!(of("dial tcp 10.0.0.1:4712: i/o timeout").steady(&first), first);
    let other = of("dial tcp 10.0.0.1:4712: connection refused");
    assert_eq!(other.steady(&first), other.to_string());
    assert_eq!(of("x 1").steady("the cluster does not accept ClusterRole r: x 2"), of("x 1").to_string());
}

const FORBIDDEN: &str = "deployments.apps \"agent\" is forbidden: User \"system:serviceaccount:a:klusterlet-work-sa\" cannot patch resource \"deployments\" in API group \"apps\" in the namespace \"hello\"";

#[test]
fn a_missing_right_of_the_work_agent_is_named_with_what_grants_it() {
    let works = work(1, "False", "False", &refused(FORBIDDEN));
    let cause = found(&works, (REACHABLE, "")).unwrap();
    assert_eq!(cause.kind, Kind::Forbidden);
    assert_eq!(cause.forbidden.as_ref().map(ToString::to_string).unwrap(), "patch deployments.apps in namespace hello");
    let expected = "the work agent may not patch deployments.apps in namespace hello, for Deployment hello/agent (images \
                    example.com/init:2, example.com/agent:3); a ClusterRole with the label \
                    open-cluster-management.io/aggregate-to-work=true on the cluster allows it: deployments";
    assert!(cause.to_string().starts_with(expected), "{cause}");
    assert_eq!(cause.opens(), "the cluster gives its work agent this right");
}

#[test]
fn a_message_about_another_object_is_shown_as_it_is() {
    for (from, to) in [("\"deployments\"", "\"secrets\""), ("\"apps\"", "\"batch\""), ("\"hello\"", "\"kube-system\"")]
    {
        let lie = FORBIDDEN.replace(from, to);
        let cause = found(&work(1, "False", "False", &refused(&lie)), (REACHABLE, "")).unwrap();
        assert_eq!((cause.kind, &cause.forbidden), (Kind::Refused, &None), "{lie}");
        assert!(cause.to_string().starts_with("the cluster does not accept Deployment hello/agent "), "{cause}");
    }
}
