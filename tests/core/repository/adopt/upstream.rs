//! A hub on which OCM's add-on manager delivers what Tidegate has decided.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_delivery::status::Desired;
use tidegate_delivery::upstream::copy;
use tidegate_repository::adopt::Adoption;

use super::hub::{examples, objects, served};
use super::{adopted, repository};

/// The template that all clusters have.
fn original() -> Desired {
    let reference = ConfigReference {
        group: key::ADDON_GROUP.to_owned(),
        resource: key::ADDON_TEMPLATES.to_owned(),
        namespace: String::new(),
        name: "hello-template-0.4.0".to_owned(),
    };
    Desired { reference, spec_hash: "4e47ff9c5a".to_owned() }
}

/// Returns the objects of a hub on which cluster aws-001 is pinned to a copy of its template, with this assignment.
fn pinned(assignment: &str) -> Vec<Value> {
    let mut objects = objects();
    for object in &mut objects {
        if object["kind"] == "ClusterManagementAddOn" {
            let strategy = object["spec"]["installStrategy"].to_string();
            object["metadata"]["annotations"][key::INSTALL_STRATEGY] = json!(strategy);
            object["metadata"]["annotations"][key::LIFECYCLE] = json!(key::LIFECYCLE_ADDON_MANAGER);
            object["spec"]["installStrategy"] = json!({ "type": "Manual" });
        }
    }
    let template = objects.iter().find(|object| object["metadata"]["name"] == "hello-template-0.4.0").unwrap().clone();
    let copied = copy::object(&template, &original());
    let pin =
        json!({ "group": key::ADDON_GROUP, "resource": key::ADDON_TEMPLATES, "name": copied["metadata"]["name"] });
    let reported = json!({
        "group": key::ADDON_GROUP, "resource": key::ADDON_TEMPLATES,
        "desiredConfig": { "name": copied["metadata"]["name"], "specHash": "a" },
    });
    let mut installed = served(&json!({
        "apiVersion": key::ADDON_V1BETA1, "kind": "ManagedClusterAddOn", "spec": { "configs": [pin] },
        "metadata": { "name": "hello-template", "namespace": "aws-001" }, "status": { "configReferences": [reported] },
    }));
    installed["metadata"]["annotations"] = json!({ key::ASSIGNMENT: assignment });
    objects.extend([copied, installed]);
    objects
}

fn check(adoption: &Adoption) {
    let (adopted, declared) = (repository(adoption), examples().repository);
    for (name, addon) in &adopted.addons {
        let wanted = &declared.addons[name];
        assert_eq!(
            (addon.defaults(), addon.install_strategy()),
            (wanted.defaults(), wanted.install_strategy()),
            "{name}"
        );
        assert_eq!(addon.overrides.keys().collect::<Vec<_>>(), wanted.overrides.keys().collect::<Vec<_>>(), "{name}");
    }
    assert_eq!(adoption.driven.len(), 0, "the add-on manager delivers for Tidegate");
    let text: String = adoption.files.values().map(String::as_str).collect();
    assert!(!text.contains("4e47ff9c") && !text.contains("tidegate.io/"), "{text}");
    let left_out: Vec<String> = adoption.left_out.iter().map(ToString::to_string).collect();
    let copy =
        "AddOnTemplate hello-template-0.4.0-4e47ff9c: it is a copy of hello-template-0.4.0, which Tidegate makes again";
    assert!(left_out.iter().any(|line| line == copy), "{left_out:?}");
    assert!(!left_out.iter().any(|line| line.contains("by hand")), "{left_out:?}");
}

#[test]
fn declarations_have_the_declared_strategy_and_neither_copies_nor_pins() {
    let found = json!([{
        "group": key::ADDON_GROUP, "resource": key::ADDON_TEMPLATES,
        "desiredConfig": { "name": "hello-template-0.4.0", "specHash": "4e47ff9c5a" },
    }]);
    let copies = json!([{
        "group": key::ADDON_GROUP, "resource": key::ADDON_TEMPLATES,
        "desiredConfig": { "name": copy::name(&original()), "specHash": "a" },
    }]);
    let assignment =
        json!({ "addon": "hello-template", "cluster": "aws-001", "configReferences": found, "copies": copies });
    check(&adopted(pinned(&assignment.to_string())));
}

#[test]
fn configurations_of_the_cluster_itself_are_kept() {
    let own = json!([{
        "group": key::ADDON_GROUP, "resource": key::ADDON_TEMPLATES, "name": "hello-template-0.4.1",
    }]);
    let adoption = adopted(pinned(&json!({ "addon": "hello-template", "cluster": "aws-001", "own": own }).to_string()));
    let text = &adoption.files["fleet/addons/hello-template/cluster-aws-001.yaml"];
    assert!(text.contains("name: hello-template-0.4.1") && !text.contains("4e47ff9c"), "{text}");
    repository(&adoption);
}

#[test]
fn malformed_annotations_change_nothing_and_pins_are_left_out_nevertheless() {
    check(&adopted(pinned("{")));
    let mut objects = pinned("[3]");
    for strategy in ["{", "3", "null"] {
        super::addon(&mut objects)["metadata"]["annotations"][key::INSTALL_STRATEGY] = json!(strategy);
        let text = adopted(objects.clone()).files["fleet/addons/hello-template/addon.yaml"].clone();
        assert!(!text.contains("placements:"), "{text}");
    }
    // An add-on that was declared without a strategy.
    super::addon(&mut objects)["metadata"]["annotations"][key::INSTALL_STRATEGY] = json!("{}");
    let text = adopted(objects).files["fleet/addons/hello-template/addon.yaml"].clone();
    assert!(!text.contains("installStrategy"), "{text}");
}
