//! Properties of all applications, sound or not.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tidegate_repository::load;

use super::{SETTINGS, web};
use crate::fixture::{shown, with};

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

fn component() -> impl Strategy<Value = Value> {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn any_application_is_a_unit_or_a_mistake_and_always_the_same(components in vec(component(), 1..4)) {
        let named = components.into_iter().enumerate().map(|(index, mut component)| {
            component["name"] = json!(format!("part-{index}"));
            component
        });
        let application = json!({
            "apiVersion": "core.oam.dev/v1beta1",
            "kind": "Application",
            "metadata": { "name": "web", "namespace": "shop" },
            "spec": {
                "components": named.collect::<Vec<_>>(),
                "policies": [{ "name": "all", "type": "placement", "properties": { "namespace": "fleet", "name": "everywhere" } }],
            },
        });
        let mut tree = with("web.yaml", &application.to_string());
        tree.files.insert("tidegate.toml".to_owned(), SETTINGS.as_bytes().to_vec());
        let (first, second) = (load(&tree, ""), load(&tree, ""));
        prop_assert_eq!(shown(&first), shown(&second));
        prop_assert_eq!(first.repository.addons.get(&web()), second.repository.addons.get(&web()));
        let is_unit = first.repository.addons.contains_key(&web());
        prop_assert!(is_unit != first.repository.blocked.contains_key(&web()), "{:?}", shown(&first));
        prop_assert!(first.repository.addons.contains_key("hello"));
    }
}
