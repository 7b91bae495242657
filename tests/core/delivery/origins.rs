//! Tests of what decides a rendered value.

use serde_json::{Value, json};

use tidegate_delivery::{Inputs, Origin, Wanted, origins};

use super::builders::{cluster, deployment, hello, template};

/// Returns what decides the value at a pointer of the first manifest.
fn found(manifest: Value, config: Value, pointer: &str) -> Vec<String> {
    let registries = json!({"registries": [{"source": "quay.io", "mirror": "mirror.example.com"}]}).to_string();
    let annotations = json!({"open-cluster-management.io/image-registries": registries});
    let cluster = cluster(json!({"name": "c1", "annotations": annotations}), json!({}));
    let (addon, template, config) = (hello(), template(json!([manifest]), Value::Null), json!({"spec": config}));
    let inputs = Inputs { addon: &addon, template: &template, config: Some(&config), cluster: &cluster };
    let shown = |cause: Origin| match cause {
        Origin::Template(pointer) => {
            format!("template {}", pointer.replace("/spec/agentSpec/workload/manifests/0", ""))
        }
        Origin::Config(pointer) => format!("config {pointer}"),
        Origin::ClusterName => "name".to_owned(),
        Origin::Registries => "registries".to_owned(),
    };
    origins(&inputs, &Wanted { position: 0, pointer }).into_iter().map(shown).collect()
}

#[test]
fn a_value_is_decided_by_the_inputs_that_change_it() {
    let map =
        |value: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}, "data": {"a": value}});
    let config = json!({"customizedVariables": [{"name": "X", "value": "1"}, {"name": "Y", "value": "2"}]});
    let data = |value: &str| found(map(value), config.clone(), "/data/a");
    assert_eq!(data("fixed"), ["template /data/a"]);
    assert_eq!(data("{{X}}"), ["template /data/a", "config /spec/customizedVariables/0/value"]);
    assert_eq!(
        data("{{Y}}-{{CLUSTER_NAME}}"),
        ["template /data/a", "config /spec/customizedVariables/1/value", "name"]
    );
    assert_eq!(found(map("a"), config.clone(), "/data/missing"), [""; 0]);
    assert_eq!(found(map("a"), json!({"agentInstallNamespace": "n"}), "/metadata/name"), ["template /metadata/name"]);
}

#[test]
fn what_rendering_adds_is_decided_by_the_configuration_or_the_cluster() {
    let manifest = || deployment(json!([{"name": "c", "image": "quay.io/x/c:1"}]));
    let pod = "/spec/template/spec";
    let image = format!("{pod}/containers/0/image");
    let template_image = format!("template {image}");
    assert_eq!(found(manifest(), json!({}), &image), [template_image.as_str(), "registries"]);
    let registries = json!({"registries": [{"source": "quay.io/x", "mirror": "other.example.com"}]});
    assert_eq!(found(manifest(), registries, &image), [template_image.as_str(), "config /spec/registries/0/mirror"]);
    let nodes = json!({"nodePlacement": {"nodeSelector": {"disk": "ssd"}}});
    let selector = format!("{pod}/nodeSelector/disk");
    assert_eq!(found(manifest(), nodes, &selector), ["config /spec/nodePlacement/nodeSelector/disk"]);
    let proxy = json!({"proxyConfig": {"httpProxy": "http://p"}});
    let environment = format!("{pod}/containers/0/env");
    assert_eq!(found(manifest(), proxy, &environment), ["config /spec/proxyConfig/httpProxy", "name"]);
}
