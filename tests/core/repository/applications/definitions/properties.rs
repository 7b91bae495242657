//! Properties of all definitions, sound or not.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tidegate_repository::load;

use super::add;
use crate::applications::{objects, tree, web};
use crate::fixture::shown;

/// A string of a template: expressions that are sound, that fail when they run, or that are malformed, and text around them.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "${context.name}",
        "${parameters.a}",
        "${parameters.b}",
        "${parameters.?c}",
        "${parameters.?c.orValue({})}",
        "${item}",
        "${output.metadata.name}",
        "${output.spec.replicas}",
        "${string(parameters.a)}",
        "${1 / parameters.b}",
        "${[1, 2].map(x, {'port': x})}",
        "${'}'}",
        "${{'a': '}'}}",
        "$${",
        "${",
        "}",
        "x-",
        "",
        "ä",
    ];
    vec(prop::sample::select(pieces.to_vec()), 0..3).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!(true))
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let keys = ["a", "b", "name", "spec", "containers", "image", "$patch", "${a}"];
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((prop::sample::select(keys.to_vec()), inner), 0..4).prop_map(|members| {
                Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
            }),
        ]
    })
}

/// The schema of a parameter, and sometimes none that is valid.
fn schema() -> impl Strategy<Value = Value> {
    let types = prop::sample::select(vec!["string", "integer", "boolean", "object", "array", "text"]);
    (types, prop::option::of(value()), any::<bool>()).prop_map(|(type_, default, is_open)| {
        let mut schema = json!({ "type": type_ });
        if let Some(default) = default {
            schema["default"] = default;
        }
        if type_ == "array" || is_open {
            schema["items"] = json!({ "type": "string" });
        }
        if type_ == "object" && is_open {
            schema["additionalProperties"] = json!({ "type": "string" });
        }
        schema
    })
}

fn parameters() -> impl Strategy<Value = Value> {
    let rules = ["self.a != 'bad'", "size(self.a) < 5", "has(self.c) || self.b > 0", "self.d", "1", "self."];
    (schema(), schema(), schema(), prop::option::of(prop::sample::select(rules.to_vec()))).prop_map(
        |(a, b, c, rule)| {
            let mut parameters = json!({ "type": "object", "properties": { "a": a, "b": b, "c": c } });
            if let Some(rule) = rule {
                parameters["x-kubernetes-validations"] = json!([{ "rule": rule }]);
            }
            parameters
        },
    )
}

/// Parameters of known types, of which expressions make sense.
fn sound_parameters() -> impl Strategy<Value = Value> {
    Just(json!({ "type": "object", "properties": {
        "a": { "type": "string", "default": "a" },
        "b": { "type": "integer", "default": 2 },
        "c": { "type": "object", "additionalProperties": { "type": "string" } },
    } }))
}

fn object() -> impl Strategy<Value = Value> {
    let lists = ["${[1, 2]}", "${['a', parameters.a]}", "${parameters.b}", "${[]}", "${[1].map(x, [x])}"];
    let conditions = ["${true}", "${parameters.a == 'a'}", "${item == 1}", "${1}", "true"];
    let list = prop::option::of(prop::sample::select(lists.to_vec()));
    let condition = prop::option::of(prop::sample::select(conditions.to_vec()));
    (list, condition, text(), value()).prop_map(|(list, condition, name, data)| {
        let template = json!({
            "apiVersion": "example.com/v1", "kind": "Thing",
            "metadata": { "name": format!("thing-{name}"), "namespace": "shop" }, "spec": data,
        });
        let mut object = json!({ "name": "thing", "template": template });
        if let Some(list) = list {
            object["forEach"] = json!([{ "item": list }]);
        }
        if let Some(condition) = condition {
            object["includeWhen"] = json!([condition]);
        }
        object
    })
}

fn definition(kind: &str, name: &str, tidegate: &Value) -> String {
    let metadata = json!({ "name": name, "namespace": "shop" });
    let spec = json!({ "schematic": { "tidegate": tidegate } });
    json!({ "apiVersion": "core.oam.dev/v1beta1", "kind": kind, "metadata": metadata, "spec": spec }).to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn any_definition_renders_or_is_a_mistake_and_always_the_same(
        of_component in prop_oneof![parameters(), sound_parameters(), sound_parameters()],
        of_trait in prop_oneof![parameters(), sound_parameters(), sound_parameters()],
        (first, second) in (object(), object()),
        (patch, operation) in (value(), value()),
        given in value(),
    ) {
        let mut second = second;
        second["name"] = json!("second");
        let component = json!({ "parameters": of_component, "objects": [first] });
        let operations = json!([{ "op": "add", "path": "/spec", "value": operation }]);
        let modifier = json!({ "parameters": of_trait, "objects": [second], "patch": { "spec": patch }, "jsonPatch": operations });
        let application = json!({
            "apiVersion": "core.oam.dev/v1beta1",
            "kind": "Application",
            "metadata": { "name": "web", "namespace": "shop" },
            "spec": {
                "components": [{
                    "name": "front", "type": "thing", "properties": if given.is_object() { given } else { json!({}) },
                    "traits": [{ "type": "change" }],
                }],
                "policies": [{ "name": "all", "type": "placement", "properties": { "namespace": "fleet", "name": "everywhere" } }],
            },
        });
        let mut tree = tree(&application.to_string());
        add(&mut tree, "thing.yaml", &definition("ComponentDefinition", "thing", &component));
        add(&mut tree, "change.yaml", &definition("TraitDefinition", "change", &modifier));
        let (first, second) = (load(&tree, ""), load(&tree, ""));
        prop_assert_eq!(shown(&first), shown(&second));
        let unit = first.repository.addons.get(&web());
        prop_assert_eq!(unit, second.repository.addons.get(&web()));
        prop_assert!(unit.is_some() != first.repository.blocked.contains_key(&web()), "{:?}", shown(&first));
        prop_assert!(first.repository.addons.contains_key("hello"));
        for object in unit.map(objects).unwrap_or_default() {
            prop_assert!(object["kind"] == "Thing" && object["metadata"]["name"].is_string(), "{object}");
        }
    }
}
