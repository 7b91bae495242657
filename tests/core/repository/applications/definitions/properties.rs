//! Properties of all definitions, sound or not.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tidegate_repository::load;

use super::add;
use crate::applications::{objects, tree, web};
use crate::fixture::shown;

/// What a generated definition consists of.
#[derive(Clone, Copy)]
struct Parts {
    /// The strings of templates, several of which may follow each other.
    texts: &'static [&'static str],
    longest: usize,
    keys: &'static [&'static str],
    lists: &'static [&'static str],
    conditions: &'static [&'static str],
}

/// Parts that make sense with the parameters of [`sound_parameters`].
const SOUND: Parts = Parts {
    texts: &[
        "${context.name}",
        "x-${parameters.a}",
        "${parameters.b}",
        "${parameters.?c}",
        "${parameters.?c.orValue({})}",
        "${item}",
        "${string(item) + '}'}",
        "${[1, 2].map(x, {'port': x})}",
        "$${x}",
        "ä",
    ],
    longest: 1,
    keys: &["a", "b", "name", "spec", "containers", "image"],
    lists: &["${[1, 2]}", "${['a', parameters.a + 'b']}", "${[parameters.b]}"],
    conditions: &["${true}", "${parameters.b > 0}", "${string(item) != 'x'}"],
};

/// Parts that may be malformed, or fail when they run.
const ANY: Parts = Parts {
    texts: &[
        "${context.name}",
        "${parameters.a}",
        "${parameters.b}",
        "${item}",
        "${output.metadata.name}",
        "${output.spec.replicas}",
        "${1 / parameters.b}",
        "${{'a': '}'}}",
        "$${",
        "${",
        "}",
        "",
    ],
    longest: 3,
    keys: &["a", "b", "name", "spec", "containers", "$patch", "${a}"],
    lists: &["${[]}", "${parameters.b}", "${[1].map(x, [x])}", "${[1, 1]}", "a"],
    conditions: &["${1}", "true", "${item == 1}", "${parameters.a == 'a'}"],
};

fn text(parts: Parts) -> impl Strategy<Value = String> {
    vec(prop::sample::select(parts.texts), 0..=parts.longest).prop_map(|pieces| pieces.concat())
}

fn value(parts: Parts) -> impl Strategy<Value = Value> {
    let text = text(parts).prop_map(Value::from);
    let leaf = prop_oneof![text, any::<i8>().prop_map(Value::from), Just(Value::Null), Just(json!(true))];
    leaf.prop_recursive(3, 12, 4, move |inner| {
        let members = vec((prop::sample::select(parts.keys), inner.clone()), 0..4);
        let map = members.prop_map(|members| {
            Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
        });
        prop_oneof![vec(inner, 0..3).prop_map(Value::from), map]
    })
}

/// The schema of a parameter, and sometimes none that is valid.
fn schema() -> impl Strategy<Value = Value> {
    let types = prop::sample::select(vec!["string", "integer", "boolean", "object", "array", "text"]);
    (types, prop::option::of(value(ANY)), any::<bool>()).prop_map(|(type_, default, is_open)| {
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

fn object(parts: Parts) -> impl Strategy<Value = Value> {
    let lists = prop::sample::select(parts.lists);
    let condition = prop::option::of(prop::sample::select(parts.conditions));
    (lists, condition, value(parts)).prop_map(|(list, condition, data)| {
        let template = json!({
            "apiVersion": "example.com/v1", "kind": "Thing",
            "metadata": { "name": "thing-${item}", "namespace": "shop" }, "spec": data,
        });
        let mut object = json!({ "name": "thing", "forEach": [{ "item": list }], "template": template });
        if let Some(condition) = condition {
            object["includeWhen"] = json!([condition]);
        }
        object
    })
}

/// Returns a definition of a component, and one of a trait.
fn definitions(parts: Parts, parameters: BoxedStrategy<Value>) -> impl Strategy<Value = [Value; 2]> {
    let of_trait = (value(parts), any::<i8>(), object(parts));
    (parameters.clone(), object(parts), parameters, of_trait).prop_map(
        |(of_component, first, of_trait, (patch, operation, second))| {
            let mut second = second;
            second["template"]["metadata"]["name"] = json!("other-${item}");
            let patch = json!({ "metadata": { "annotations": { "a": "b" } }, "more": patch });
            let operations = json!([{ "op": "add", "path": "/number", "value": operation }]);
            [
                json!({ "parameters": of_component, "objects": [first] }),
                json!({ "parameters": of_trait, "objects": [second], "patch": patch, "jsonPatch": operations }),
            ]
        },
    )
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
        [component, modifier] in prop_oneof![
            definitions(SOUND, sound_parameters().boxed()),
            definitions(SOUND, sound_parameters().boxed()),
            definitions(ANY, prop_oneof![parameters(), sound_parameters()].boxed()),
        ],
        given in prop_oneof![Just(json!({})), Just(json!({ "a": "c", "c": { "d": "e" } })), value(ANY)],
    ) {
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
