//! Components at random: any, and those that are probably good.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const TYPES: [&str; 8] = ["webservice", "worker", "daemon", "cron-task", "k8s-objects", "helm", "statefulset", "task"];

const TRAITS: [&str; 17] = [
    "affinity",
    "annotations",
    "command",
    "container-image",
    "env",
    "expose",
    "gateway",
    "hpa",
    "json-merge-patch",
    "json-patch",
    "k8s-update-strategy",
    "labels",
    "resource",
    "scaler",
    "service-account",
    "sidecar",
    "storage",
];

/// Names of properties, and of what is below them.
const NAMES: [&str; 52] = [
    "a",
    "addArgs",
    "args",
    "class",
    "cmd",
    "cmName",
    "configMap",
    "containerName",
    "containers",
    "cpu",
    "create",
    "data",
    "domain",
    "emptyDir",
    "env",
    "existingServiceName",
    "from",
    "hostPath",
    "http",
    "image",
    "items",
    "key",
    "kind",
    "limits",
    "memory",
    "metadata",
    "mountPath",
    "mountToEnv",
    "name",
    "nodeAffinity",
    "objects",
    "op",
    "operations",
    "path",
    "podAffinity",
    "port",
    "ports",
    "privileges",
    "pvc",
    "replicas",
    "requests",
    "required",
    "rollingStrategy",
    "schedule",
    "secret",
    "spec",
    "strategy",
    "template",
    "tolerations",
    "type",
    "value",
    "volumes",
];

fn scalar() -> impl Strategy<Value = Value> {
    let words = [
        "a",
        "",
        "/",
        "/spec",
        "/spec/template/spec/containers/0",
        "add",
        "remove",
        "copy",
        "move",
        "test",
        "replace",
        "/metadata/labels",
        "1Gi",
        "server",
        "@daily",
        "RollingUpdate",
        "{{x}}",
        "25%",
    ];
    prop_oneof![
        4 => prop::sample::select(words.to_vec()).prop_map(|word| json!(word)),
        1 => any::<bool>().prop_map(|flag| json!(flag)),
        2 => (-2_i64..70_000).prop_map(|number| json!(number)),
        1 => Just(Value::Null),
    ]
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let member = (prop::sample::select(NAMES.to_vec()), value);
    vec(member, 0..5).prop_map(|members| {
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
    })
}

fn value() -> impl Strategy<Value = Value> {
    scalar()
        .prop_recursive(4, 24, 4, |inner| prop_oneof![object(inner.clone()), vec(inner, 0..3).prop_map(Value::Array)])
}

/// Properties that some traits accept, so that more than the schemas are reached.
fn properties() -> impl Strategy<Value = Value> {
    let pointers =
        ["/spec/template/spec/containers/0/image", "/spec", "", "/metadata/name", "/spec/template/x", "/kind"];
    let pointer = || prop::sample::select(pointers.to_vec());
    let op = prop::sample::select(vec!["add", "remove", "replace", "move", "copy", "test"]);
    let operation = (op, pointer(), pointer(), value())
        .prop_map(|(op, path, from, value)| json!({ "op": op, "path": path, "from": from, "value": value }));
    let mount = (prop::sample::select(vec!["pvc", "configMap", "secret", "emptyDir"]), "[ab]{1,2}", "/[ab]")
        .prop_map(|(kind, name, path)| json!({ kind: [{ "name": name, "mountPath": path }] }));
    prop_oneof![
        4 => object(value()),
        2 => vec(operation, 0..4).prop_map(|operations| json!({ "operations": operations })),
        1 => mount,
        1 => value().prop_map(|spec| json!({ "spec": spec })),
        1 => Just(json!({ "http": { "/": 80 } })),
        1 => Just(json!({ "cpu": 1, "memory": "1Gi" })),
        1 => Just(json!({ "name": "a", "image": "b" })),
        1 => Just(json!({ "env": { "A": "b" } })),
        1 => Just(json!({ "strategy": {} })),
    ]
}

/// Any component, most of them with mistakes.
pub(super) fn component() -> impl Strategy<Value = Value> {
    let of_trait = (prop::sample::select(TRAITS.to_vec()), properties())
        .prop_map(|(type_, properties)| json!({ "type": type_, "properties": properties }));
    let sound = object(scalar()).prop_map(|more| {
        let mut properties = json!({ "image": "a", "schedule": "@daily" });
        properties["objects"] =
            json!([{ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" }, "data": more }]);
        properties
    });
    let base = prop_oneof![3 => sound, 1 => object(value())];
    (prop::sample::select(TYPES.to_vec()), base, vec(of_trait, 0..5)).prop_map(|(type_, mut properties, traits)| {
        if let Some(members) = properties.as_object_mut() {
            members.retain(|name, _| match name.as_str() {
                "schedule" => type_ == "cron-task",
                "objects" => type_ == "k8s-objects",
                "image" => type_ != "k8s-objects",
                _ => true,
            });
        }
        json!({ "type": type_, "properties": properties, "traits": traits })
    })
}

/// Traits that most workloads accept.
fn good_trait() -> impl Strategy<Value = Value> {
    let pointer = "/spec/template/spec/containers/0";
    let name = "[ab]{1,2}";
    let patch = (prop::sample::select(vec!["image", "workingDir", "tty"]), "[ab]").prop_map(move |(member, value)| {
        let operation = json!({ "op": "add", "path": format!("{pointer}/{member}"), "value": value });
        ("json-patch", json!({ "operations": [operation] }))
    });
    let of_type = prop_oneof![
        (name, name).prop_map(|(name, value)| ("labels", json!({ name: value }))),
        (name, name).prop_map(|(name, value)| ("annotations", json!({ name: value }))),
        (name, name).prop_map(|(name, value)| ("env", json!({ "env": { name: value } }))),
        (0..4).prop_map(|replicas| ("scaler", json!({ "replicas": replicas }))),
        name.prop_map(|name| ("gateway", json!({ "name": name, "http": { "/": 80 } }))),
        name.prop_map(|name| ("sidecar", json!({ "name": name, "image": "a" }))),
        name.prop_map(|name| ("service-account", json!({ "name": name, "create": true }))),
        (name, "/[ab]")
            .prop_map(|(name, path)| ("storage", json!({ "emptyDir": [{ "name": name, "mountPath": path }] }))),
        name.prop_map(|arg| ("command", json!({ "addArgs": [arg] }))),
        name.prop_map(|key| ("affinity", json!({ "tolerations": [{ "key": key }] }))),
        Just(("resource", json!({ "cpu": 1, "memory": "1Gi" }))),
        name.prop_map(|grace| ("json-merge-patch", json!({ "metadata": { "annotations": { "grace": grace } } }))),
        patch,
    ];
    of_type.prop_map(|(type_, properties)| json!({ "type": type_, "properties": properties }))
}

/// A component whose traits may only contradict each other.
pub(super) fn good_component() -> impl Strategy<Value = Value> {
    let types = ["webservice", "worker", "daemon", "statefulset", "task", "cron-task"];
    (prop::sample::select(types.to_vec()), vec(good_trait(), 0..4)).prop_map(|(type_, traits)| {
        let mut properties = json!({ "image": "a" });
        if type_ == "cron-task" {
            properties["schedule"] = json!("@daily");
        }
        json!({ "type": type_, "properties": properties, "traits": traits })
    })
}
