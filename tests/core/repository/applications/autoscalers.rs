//! Autoscalers: the traits that add them, and workloads whose number of replicas they set.

use serde_json::Value;
use tidegate_repository::load;

use super::traits::{changed, wrong};
use super::types::application;
use super::{objects, tree, unit};
use crate::fixture::shown;

#[test]
fn an_hpa_scales_the_workload_of_its_component() {
    insta::assert_snapshot!("hpa", changed("- {type: hpa}"));
    let full = "\
- type: hpa
  properties:
    min: 2
    max: 20
    targetAPIVersion: apps/v1
    targetKind: Deployment
    cpu: {type: AverageValue, value: 500m}
    mem: {value: 70}
    podCustomMetrics: [{name: requests, value: '100'}]
";
    insta::assert_snapshot!("hpa_with_metrics", changed(full));
    insta::assert_snapshot!("cpuscaler", changed("- {type: cpuscaler, properties: {max: 4, cpuUtil: 80}}"));
}

#[test]
fn mistakes_in_autoscalers() {
    let found = wrong(&[
        ("a range", "- {type: hpa, properties: {min: 3, max: 2}}"),
        ("the default range", "- {type: hpa, properties: {min: 11}}"),
        ("below the default range", "- {type: cpuscaler, properties: {max: 0}}"),
        ("no percentage", "- {type: hpa, properties: {cpu: {value: 500m}}}"),
        ("no load", "- {type: hpa, properties: {mem: {value: 0}}}"),
        ("another kind", "- {type: hpa, properties: {targetKind: StatefulSet}}"),
        ("another version", "- {type: cpuscaler, properties: {targetAPIVersion: apps.kruise.io/v1alpha1}}"),
        ("a scaler", "- {type: scaler, properties: {replicas: 3}}\n- {type: hpa}"),
        ("two autoscalers", "- {type: hpa}\n- {type: cpuscaler}"),
        ("a metric without a value", "- {type: hpa, properties: {podCustomMetrics: [{name: requests}]}}"),
    ]);
    insta::assert_snapshot!("mistakes_in_autoscalers", found);
    let daemon = "name: agent\ntype: daemon\nproperties: {image: a}\ntraits: [{type: hpa}]\n";
    let found = shown(&load(&tree(&application(&[daemon])), "")).join("\n");
    assert!(
        found.contains("is hpa, which needs a Deployment, a StatefulSet, a ReplicaSet or another kind with replicas"),
        "{found}"
    );
}

const SERVER: &str = "name: server\ntype: webservice\nproperties: {image: a}\n";

/// Returns the objects and their configuration for the agent.
fn content(components: &[&str]) -> (Vec<Value>, Vec<Value>) {
    let unit = unit(&tree(&application(components)));
    let configs = unit.configurations.values().next().unwrap().object["spec"]["agentSpec"]["manifestConfigs"].clone();
    (objects(&unit), configs.as_array().unwrap().clone())
}

fn autoscaler(api_version: &str, kind: &str, namespace: &str, target: &str) -> String {
    format!(
        "name: autoscaler\ntype: k8s-objects\nproperties:\n  objects:\n    - {{apiVersion: {api_version}, kind: {kind}, metadata: {{name: any, \
         namespace: {namespace}}}, spec: {{scaleTargetRef: {target}, maxReplicas: 5}}}}\n"
    )
}

/// Returns whether the Deployment has a number of replicas, and whether the agent is asked who sets it.
fn is_scaled(autoscaler: &str) -> (bool, bool) {
    let scaled = format!("{SERVER}traits: [{{type: scaler, properties: {{replicas: 3}}}}]\n");
    let (objects, configs) = content(&[&scaled, autoscaler]);
    assert_eq!(objects[0]["kind"], "Deployment");
    let asks = configs[0]["feedbackRules"].as_array().is_some_and(|rules| {
        rules[0]["jsonPaths"].as_array().unwrap().iter().any(|path| path["name"] == "TidegateScaledBy")
    });
    (objects[0]["spec"].get("replicas").is_some(), asks)
}

#[test]
fn the_number_of_a_workload_that_an_autoscaler_scales_is_not_delivered() {
    let target = "{apiVersion: apps/v1, kind: Deployment, name: server}";
    let left = (false, true);
    let (hpa, keda) = ("HorizontalPodAutoscaler", "ScaledObject");
    assert_eq!(is_scaled(&autoscaler("autoscaling/v2", hpa, "shop", target)), left);
    assert_eq!(is_scaled(&autoscaler("autoscaling/v1", hpa, "shop", target)), left);
    assert_eq!(is_scaled(&autoscaler("keda.sh/v1alpha1", keda, "shop", "{name: server}")), left);
    let delivered = (true, false);
    for other in [
        autoscaler("autoscaling/v2", hpa, "elsewhere", target),
        autoscaler("autoscaling/v2", hpa, "shop", "{apiVersion: apps/v1, kind: Deployment, name: other}"),
        autoscaler("autoscaling/v2", hpa, "shop", "{apiVersion: apps/v1, kind: StatefulSet, name: server}"),
        autoscaler("autoscaling/v2", hpa, "shop", "{apiVersion: example.com/v1, kind: Deployment, name: server}"),
        autoscaler("example.com/v1", keda, "shop", target),
    ] {
        assert_eq!(is_scaled(&other), delivered, "{other}");
    }
}

#[test]
fn an_application_without_autoscaler_is_as_before() {
    let (objects, configs) = content(&[SERVER]);
    assert_eq!(objects.len(), 1);
    assert_eq!(configs[0].get("feedbackRules"), None);
}
