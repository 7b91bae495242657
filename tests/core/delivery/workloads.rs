//! Tests that workloads are converted as a Go client would do it.

use serde_json::{Value, json};

use super::builders::{deployment, objects, rendered};

fn spelled(manifest: Value) -> Value {
    objects(&rendered(json!([manifest]), json!({})).unwrap()).remove(0)
}

fn container(container: Value) -> Value {
    spelled(deployment(json!([container])))["spec"]["template"]["spec"]["containers"][0].clone()
}

#[test]
fn missing_structs_appear() {
    let expected = json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "d"},
        "spec": {"selector": null, "template": {"metadata": {}, "spec": {"containers": null}}, "updateStrategy": {}},
        "status": {"currentNumberScheduled": 0, "desiredNumberScheduled": 0, "numberMisscheduled": 0, "numberReady": 0},
    });
    assert_eq!(spelled(json!({"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "d"}})), expected);
}

#[test]
fn zero_values_stay_only_if_go_has_a_pointer() {
    let written = container(json!({
        "name": "c", "tty": false, "args": [], "workingDir": "", "image": null,
        "securityContext": {"privileged": false, "runAsUser": 0, "capabilities": {"add": []}},
        "livenessProbe": {"grpc": {"port": 0}, "initialDelaySeconds": 0, "terminationGracePeriodSeconds": 0},
    }));
    assert_eq!(written["securityContext"], json!({"privileged": false, "runAsUser": 0, "capabilities": {}}));
    assert_eq!(
        written["livenessProbe"],
        json!({"grpc": {"port": 0, "service": null}, "terminationGracePeriodSeconds": 0})
    );
    for dropped in ["tty", "args", "workingDir", "image"] {
        assert_eq!(written.get(dropped), None, "{dropped}");
    }
}

#[test]
fn labels_keep_their_empty_values() {
    let mut manifest = deployment(json!([]));
    manifest["metadata"]["labels"] = json!({"empty": ""});
    assert_eq!(spelled(manifest)["metadata"]["labels"], json!({"empty": ""}));
}

#[test]
fn quantities_are_normalized() {
    let cases = [
        (json!("0.5"), "500m"),
        (json!("1000m"), "1"),
        (json!("2.50"), "2500m"),
        (json!(1), "1"),
        (json!(0.1), "100m"),
        (json!("1024Mi"), "1Gi"),
        (json!("1.5Gi"), "1536Mi"),
        (json!("0.1Mi"), "104857600m"),
        (json!("512M"), "512M"),
        (json!("1073741824"), "1073741824"),
        (json!("1e3"), "1e3"),
        (json!("1000000"), "1M"),
        (json!("+.5k"), "500"),
        (json!("0Gi"), "0"),
        (json!("-1500m"), "-1500m"),
        (json!("0.0000000001"), "1n"),
        (json!("100E"), "100E"),
    ];
    for (given, expected) in cases {
        let written = container(json!({"name": "c", "resources": {"limits": {"memory": given}}}));
        assert_eq!(written["resources"]["limits"]["memory"], expected, "{given}");
    }
}

#[test]
fn a_workload_with_wrong_types_is_delivered_unchanged() {
    for broken in [json!("three"), json!(1.5), json!(4_294_967_296_i64), json!(true)] {
        let mut manifest = deployment(json!([{"name": "c", "unknown": 1}]));
        manifest["spec"]["replicas"] = broken;
        assert_eq!(spelled(manifest.clone()), manifest);
    }
    let mut manifest = deployment(json!([{"name": "c", "resources": {"limits": {"cpu": "1 core"}}}]));
    manifest["spec"]["replicas"] = json!(1);
    assert_eq!(spelled(manifest.clone()), manifest);
}

#[test]
fn only_the_group_apps_has_workloads() {
    let mut manifest = deployment(json!([{"name": "c", "unknown": 1}]));
    manifest["apiVersion"] = json!("extensions/v1beta1");
    assert_eq!(spelled(manifest.clone()), manifest);
    manifest["apiVersion"] = json!("apps/v1beta2");
    assert_eq!(spelled(manifest)["status"], json!({}));
}

#[test]
fn a_deployment_without_replicas_is_a_workload_but_not_a_probe() {
    let mut idle = deployment(json!([]));
    idle["spec"]["replicas"] = json!(0);
    let daemon_set =
        json!({"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "ds", "namespace": "n"}});
    let rendered = rendered(json!([idle, daemon_set]), json!({})).unwrap();
    let names = |list: &[tidegate_api::ocm::manifest_work::ResourceIdentifier]| {
        list.iter().map(|id| format!("{}.{} {}/{}", id.resource, id.group, id.namespace, id.name)).collect::<Vec<_>>()
    };
    assert_eq!(names(&rendered.workloads), ["deployments.apps n/d", "daemonsets.apps n/ds"]);
    assert_eq!(names(&rendered.probes), ["daemonsets.apps n/ds"]);
}

#[test]
fn times_are_normalized_and_an_invalid_time_leaves_the_workload_unchanged() {
    let created = |at: &str| {
        let mut manifest = deployment(json!([]));
        manifest["metadata"]["creationTimestamp"] = json!(at);
        let spelled = spelled(manifest);
        (spelled["metadata"]["creationTimestamp"].clone(), spelled.get("status").is_some())
    };
    assert_eq!(created("2026-01-01T02:00:00.5+02:00"), (json!("2026-01-01T00:00:00Z"), true));
    assert_eq!(created("yesterday"), (json!("yesterday"), false));
}
