//! Tests of finding configurations by the references in the status of an add-on.

use serde_json::{Value, json};

use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::{Unreferenced, config_of, template_of};

const GROUP: &str = "addon.open-cluster-management.io";

fn addon(references: Value) -> ManagedClusterAddOn {
    serde_json::from_value(json!({
        "metadata": {"name": "hello", "namespace": "cluster1"},
        "spec": {},
        "status": {"configReferences": references},
    }))
    .unwrap()
}

fn reference(resource: &str, desired: Value) -> Value {
    json!({"group": GROUP, "resource": resource, "desiredConfig": desired})
}

fn found(wanted: &ConfigReference) -> Option<String> {
    Some(format!("{}/{}", wanted.namespace, wanted.name))
}

#[test]
fn the_first_reference_of_a_kind_counts() {
    let addon = addon(json!([
        {"group": "other", "resource": "addontemplates", "desiredConfig": {"name": "other", "specHash": "h"}},
        reference("addontemplates", json!({"name": "t1", "specHash": "h"})),
        reference("addontemplates", json!({"name": "t2", "specHash": "h"})),
        reference("addondeploymentconfigs", json!({"namespace": "ns", "name": "c1", "specHash": "h"})),
        reference("addondeploymentconfigs", json!({"namespace": "ns", "name": "c2", "specHash": "h"})),
    ]));
    assert_eq!(template_of(&addon, found).unwrap().as_deref(), Some("/t1"));
    assert_eq!(config_of(&addon, found).unwrap().as_deref(), Some("ns/c1"));
}

#[test]
fn an_add_on_without_references_has_no_configurations() {
    assert_eq!(template_of(&addon(json!([])), found), Ok(None));
    assert_eq!(config_of(&addon(json!([])), found), Ok(None));
}

#[test]
fn a_reference_without_hash_is_an_error() {
    for desired in [Value::Null, json!({"name": "x"})] {
        let addon = addon(json!([
            reference("addontemplates", desired.clone()),
            reference("addondeploymentconfigs", desired.clone()),
        ]));
        let error = template_of(&addon, found).unwrap_err();
        assert_eq!(error.to_string(), "addon hello template desired spec hash is empty");
        let error = config_of(&addon, found).unwrap_err();
        assert_eq!(error.to_string(), "addon hello deployment config desired spec hash is empty");
    }
}

#[test]
fn a_missing_object_is_an_error() {
    let desired = json!({"namespace": "ns", "name": "x", "specHash": "h"});
    let addon = addon(json!([
        reference("addontemplates", desired.clone()),
        reference("addondeploymentconfigs", desired.clone()),
    ]));
    let error = template_of(&addon, |_| None::<()>).unwrap_err();
    assert_eq!(error, Unreferenced::Template("x".to_owned()));
    assert_eq!(error.to_string(), format!(r#"addontemplate.{GROUP} "x" not found"#));
    let error = config_of(&addon, |_| None::<()>).unwrap_err();
    assert_eq!(error.to_string(), format!(r#"addondeploymentconfigs.{GROUP} "x" not found"#));
}
