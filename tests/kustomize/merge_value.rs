//! Strategic merge of plain data.

use serde_json::{Value, json};
use tidegate_kustomize::overlay::patch::merge_value;

fn deployment() -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": { "name": "web", "finalizers": ["a"] },
        "spec": { "template": { "spec": {
            "containers": [
                {
                    "name": "web", "image": "web:1", "args": ["a"],
                    "env": [{ "name": "A", "value": "1" }],
                    "ports": [{ "containerPort": 80, "protocol": "TCP" }, { "containerPort": 80, "protocol": "UDP" }],
                },
                { "name": "log", "image": "log:1" },
            ],
            "tolerations": [{ "key": "a" }],
        } } },
    })
}

fn patched(patch: &Value) -> Value {
    let mut object = deployment();
    assert_eq!(merge_value(&mut object, patch.as_object().unwrap()), Ok(true));
    object
}

/// Returns the pods after a patch of them.
fn pods(patch: &Value) -> Value {
    patched(&json!({ "spec": { "template": { "spec": patch } } }))["spec"]["template"]["spec"].clone()
}

#[test]
fn elements_are_merged_by_their_keys_and_new_ones_come_last() {
    let pods = pods(&json!({ "containers": [
        { "name": "new", "image": "new:1" },
        { "name": "web", "image": "web:2", "args": ["b"], "env": [{ "name": "B", "value": "2" }, { "name": "A", "value": "3" }] },
    ] }));
    let names: Vec<&Value> =
        pods["containers"].as_array().unwrap().iter().map(|container| &container["name"]).collect();
    assert_eq!(names, ["web", "log", "new"]);
    let web = &pods["containers"][0];
    assert_eq!((&web["image"], &web["args"]), (&json!("web:2"), &json!(["b"])));
    assert_eq!(web["env"], json!([{ "name": "A", "value": "3" }, { "name": "B", "value": "2" }]));
    assert_eq!(pods["tolerations"], json!([{ "key": "a" }]));
}

#[test]
fn an_element_with_several_keys_is_found_by_those_that_are_given() {
    let ports = |patch: Value| {
        pods(&json!({ "containers": [{ "name": "web", "ports": [patch] }] }))["containers"][0]["ports"].clone()
    };
    let udp = ports(json!({ "containerPort": 80, "protocol": "UDP", "name": "dns" }));
    assert_eq!(
        udp,
        json!([{ "containerPort": 80, "protocol": "TCP" }, { "containerPort": 80, "protocol": "UDP", "name": "dns" }])
    );
    let first = ports(json!({ "containerPort": 80, "name": "http" }));
    assert_eq!(first[0], json!({ "containerPort": 80, "protocol": "TCP", "name": "http" }));
    assert_eq!(ports(json!({ "containerPort": 81 })).as_array().unwrap().len(), 3);
}

#[test]
fn directives_remove_and_replace() {
    let removed = pods(&json!({ "containers": [{ "name": "log", "$patch": "delete" }], "tolerations": null }));
    assert_eq!((removed["containers"].as_array().unwrap().len(), removed.get("tolerations")), (1, None));
    let list = pods(&json!({ "containers": [{ "$patch": "replace" }, { "name": "only" }] }));
    assert_eq!(list["containers"], json!([{ "name": "only" }]));
    let element = pods(&json!({ "containers": [{ "name": "web", "$patch": "replace", "image": "web:2" }] }));
    assert_eq!(element["containers"][0], json!({ "name": "web", "image": "web:2" }));
    let map = patched(&json!({ "metadata": { "$patch": "replace", "name": "web" } }));
    assert_eq!(map["metadata"], json!({ "name": "web" }));
    let field = patched(&json!({ "metadata": { "labels": { "$patch": "delete" }, "finalizers": ["b", "a"] } }));
    assert_eq!(field["metadata"], json!({ "name": "web", "finalizers": ["a", "b"] }));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let refused = |patch: Value| {
        let patch = json!({ "spec": { "template": { "spec": patch } } });
        merge_value(&mut deployment(), patch.as_object().unwrap()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(json!({ "containers": [{ "image": "a" }] })),
        "an element of containers has no name, by which elements are merged; add it"
    );
    assert_eq!(
        refused(json!({ "containers": ["a"] })),
        "an element of containers has no name, by which elements are merged; add it"
    );
    let unsupported = "is not supported in a patch; write $patch: delete or $patch: replace";
    assert_eq!(refused(json!({ "$retainKeys": ["containers"] })), format!("$retainKeys {unsupported}"));
    assert_eq!(refused(json!({ "$patch": "keep" })), format!("$patch: keep {unsupported}"));
}

#[test]
fn an_object_of_an_unknown_kind_stays_as_it_is() {
    let mut object = json!({ "apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet" });
    let before = object.clone();
    assert_eq!(merge_value(&mut object, json!({ "spec": {} }).as_object().unwrap()), Ok(false));
    assert_eq!(object, before);
}
