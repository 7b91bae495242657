//! What is left out, and why.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tidegate_model::name::UnitName;
use tidegate_repository::adopt::{Adoption, adopt};

use super::hub::{examples, fleet, objects, served};
use super::{adopted, repository};

const ADDONS: &str = "addon.open-cluster-management.io/v1beta1";
const CLUSTERS: &str = "cluster.open-cluster-management.io/v1beta2";

fn addon(name: &str, annotations: Value, configs: Value) -> Value {
    let mut object = served(&json!({
        "apiVersion": ADDONS, "kind": "ClusterManagementAddOn", "metadata": { "name": name },
        "spec": { "defaultConfigs": configs },
    }));
    object["metadata"]["annotations"] = annotations;
    object
}

fn shown(adoption: &Adoption) -> String {
    adoption.left_out.iter().map(|left_out| format!("{left_out}\n")).collect()
}

#[test]
fn everything_that_is_left_out_has_a_reason() {
    let lifecycle = "addon.open-cluster-management.io/lifecycle";
    let template = json!([{ "group": "addon.open-cluster-management.io", "resource": "addontemplates", "name": "hello-template-0.4.0" }]);
    let mut other = addon("other", json!({ "tidegate.io/instance-name": "prod" }), template.clone());
    other["metadata"]["labels"] = json!({ "tidegate.io/owned": "true", "tidegate.io/instance": "3f2a9c0d1e2f3a4b" });
    let mut leaving = addon("leaving", json!({}), template.clone());
    leaving["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let set = |name: &str| {
        served(
            &json!({ "apiVersion": CLUSTERS, "kind": "ManagedClusterSet", "metadata": { "name": name }, "spec": {} }),
        )
    };
    let mut objects = objects();
    objects.extend([
        addon("cert-policy", json!({}), json!([{ "group": "example.com", "resource": "policies", "name": "p" }])),
        addon("search", json!({ lifecycle: "acm" }), template),
        other,
        leaving,
        set("global"),
        set("unused"),
    ]);
    let foreign = json!({ "group": "example.com", "resource": "policies", "namespace": "a", "name": "p" });
    super::addon(&mut objects)["spec"]["defaultConfigs"].as_array_mut().unwrap().push(foreign);
    let mut fleet = fleet(objects);
    let key = tidegate_model::object::ObjectKey::new("addon.open-cluster-management.io", "AddOnTemplate", "", "broken");
    fleet.unreadable.insert(key, "missing field `spec`".to_owned());
    insta::assert_snapshot!("left_out", shown(&adopt(&fleet, &BTreeSet::new())));
}

#[test]
fn one_addon_can_be_adopted_without_the_others() {
    let adoption = adopt(&fleet(objects()), &BTreeSet::from(["hello-template".parse().unwrap()]));
    let repository = repository(&adoption);
    assert_eq!(repository.addons.keys().map(|name| name.as_str()).collect::<Vec<_>>(), ["hello-template"]);
    assert!(shown(&adoption).contains("ClusterManagementAddOn managed-serviceaccount: --addon does not name it"));
    assert!(!adoption.files.keys().any(|path| path.contains("serviceaccount")));
}

#[test]
fn a_template_that_a_cluster_still_has_is_written() {
    let mut objects = objects();
    let reference = json!({
        "group": "addon.open-cluster-management.io", "resource": "addontemplates",
        "desiredConfig": { "name": "hello-template-0.4.1", "specHash": "a" },
    });
    let mut installed = served(&json!({
        "apiVersion": ADDONS, "kind": "ManagedClusterAddOn", "spec": {},
        "metadata": { "name": "hello-template", "namespace": "aws-001" },
        "status": { "configReferences": [reference] },
    }));
    installed["metadata"]["labels"] = json!({});
    objects.push(installed);
    let adoption = adopted(objects);
    assert!(adoption.files.contains_key("fleet/addons/hello-template/template-0.4.1.yaml"));
    assert!(!adoption.files.keys().any(|path| path.contains("aws-001")), "it has no configuration of its own");
    repository(&adoption);
}

#[test]
fn an_override_of_another_instance_is_not_taken() {
    let mut objects = objects();
    for object in objects.iter_mut().filter(|object| object["kind"] == "ManagedClusterAddOn") {
        object["metadata"]["labels"]["tidegate.io/instance"] = json!("3f2a9c0d1e2f3a4b");
    }
    let adoption = adopted(objects);
    assert!(
        shown(&adoption)
            .contains("ManagedClusterAddOn aws-007/managed-serviceaccount: it belongs to instance 3f2a9c0d1e2f3a4b")
    );
    assert!(repository(&adoption).addons.values().all(|addon| addon.overrides.is_empty()));
}

#[test]
fn an_addon_that_upstream_drives_is_written_and_named() {
    let adoption = adopted(objects());
    let names: Vec<_> = examples().repository.addons.into_inner().into_keys().collect();
    assert_eq!(adoption.driven.into_iter().map(UnitName::from).collect::<Vec<_>>(), names);
}

#[test]
fn a_hub_without_addons_has_no_files() {
    let adoption = adopted(objects().into_iter().filter(|object| object["kind"] != "ClusterManagementAddOn"));
    assert!(adoption.files.is_empty() && adoption.complaints.is_empty());
}

#[test]
fn an_addon_whose_clusters_were_chosen_by_hand_names_their_number() {
    let mut objects = objects();
    super::addon(&mut objects)["spec"]["installStrategy"] = json!({ "type": "Manual" });
    for cluster in ["aws-001", "aws-002"] {
        objects.push(served(&json!({
            "apiVersion": ADDONS, "kind": "ManagedClusterAddOn", "spec": {},
            "metadata": { "name": "hello-template", "namespace": cluster },
        })));
    }
    let shown = shown(&adopted(objects));
    assert!(shown.contains("ManagedClusterAddOns hello-template: 2 clusters got the add-on by hand"), "{shown}");
}

#[test]
fn secrets_in_templates_and_objects_that_a_controller_owns_are_named() {
    let mut objects = objects();
    for object in &mut objects {
        if object["kind"] == "AddOnTemplate" {
            let secret =
                json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "token", "namespace": "a" } });
            object["spec"]["agentSpec"]["workload"]["manifests"].as_array_mut().unwrap().push(secret);
        }
        if object["kind"] == "Placement" {
            object["metadata"]["ownerReferences"][0]["controller"] = json!(true);
        }
    }
    insta::assert_snapshot!("warnings", adopted(objects).warnings.join("\n"));
}
