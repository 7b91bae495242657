//! The objects that a template may write, by their names on a cluster.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_delivery::possible_keys;

fn template(manifests: &Value) -> Value {
    json!({ "spec": { "addonName": "hello", "agentSpec": { "workload": { "manifests": manifests } } } })
}

fn config(spec: Value) -> AddOnDeploymentConfigSpec {
    serde_json::from_value(spec).unwrap()
}

/// Returns the namespaces and names of the ConfigMaps that a template may write.
fn names(metadata: &Value, configs: &[AddOnDeploymentConfigSpec]) -> BTreeSet<String> {
    let template = template(&json!([{ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata }]));
    possible_keys("hello", &template, configs)
        .iter()
        .map(|key| format!("{} {}/{}", key.kind, key.namespace, key.name))
        .collect()
}

#[test]
fn an_object_is_in_each_namespace_to_which_a_configuration_moves_it() {
    let configs = [
        json!({ "agentInstallNamespace": "agents" }),
        json!({ "agentInstallNamespace": "", "customizedVariables": [{ "name": "__INSTALL_NAMESPACE", "value": "old" }] }),
    ];
    let found = names(&json!({ "name": "a", "namespace": "own" }), &configs.map(config));
    assert_eq!(found, ["ConfigMap agents/a", "ConfigMap old/a", "ConfigMap own/a"].map(str::to_owned).into());
    let cluster_scoped = names(&json!({ "name": "a" }), &[config(json!({ "agentInstallNamespace": "agents" }))]);
    assert_eq!(cluster_scoped, ["ConfigMap /a".to_owned()].into());
}

#[test]
fn a_name_with_variables_has_each_of_their_values() {
    let value = |value: &str| {
        config(json!({ "agentInstallNamespace": "", "customizedVariables": [{ "name": "N", "value": value }] }))
    };
    let found =
        names(&json!({ "name": "{{N}}-{{CLUSTER_NAME}}{{NOTHING}}", "namespace": "own" }), &[value("x"), value("y")]);
    assert_eq!(found, ["ConfigMap own/-*", "ConfigMap own/x-*", "ConfigMap own/y-*"].map(str::to_owned).into());
    // A value is inserted without escaping.
    let injected = value("x\",\"name\":\"agent");
    assert!(names(&json!({ "name": "{{N}}", "namespace": "own" }), &[injected]).contains("ConfigMap own/agent"));
    let many: Vec<_> = (0..100).map(|n| value(&n.to_string())).collect();
    assert_eq!(names(&json!({ "name": "{{N}}", "namespace": "own" }), &many), ["* */*".to_owned()].into());
    // Variables that no manifest uses make no difference.
    assert_eq!(names(&json!({ "name": "{{M}}a", "namespace": "own" }), &many), ["ConfigMap own/a".to_owned()].into());
}

#[test]
fn a_namespace_may_be_shared() {
    let manifests =
        json!([{ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "own" } }, { "kind": 7 }, "no object"]);
    assert_eq!(possible_keys("hello", &template(&manifests), []), BTreeSet::new());
}

#[test]
fn what_cannot_be_read_before_the_cluster_is_known_may_be_anything() {
    let values = json!([{ "name": "B", "value": "\\" }, { "name": "P", "value": "agent" }]);
    let config = config(json!({ "agentInstallNamespace": "", "customizedVariables": values }));
    let metadata = json!({ "name": "{{P}}", "namespace": "own", "annotations": { "x": "{{B}}{{CLUSTER_NAME}}" } });
    assert!(names(&metadata, &[config]).contains("* */*"));
}

#[test]
fn certificates_of_a_proxy_are_written_too() {
    let config = config(json!({ "agentInstallNamespace": "agents", "proxyConfig": { "caBundle": "Y2E=" } }));
    let found = names(&json!({ "name": "a", "namespace": "own" }), &[config]);
    assert!(found.contains("ConfigMap agents/hello-proxy-ca"), "{found:?}");
}
