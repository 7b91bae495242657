//! The schemas of the Kubernetes kinds that are served, modified, embedded or checked here, as the Kubernetes API publishes them.
//!
//! They are data, because compiling a schema for every type of the Kubernetes API takes too long.
//!
//! # Source
//! `kubernetes.json` holds the definitions of the OpenAPI v3 document of Kubernetes, one per line, in the version of `k8s-openapi`.
//! With the feature `kubernetes-schemas`, a test derives them from that crate again and compares. Definitions that are only checked have
//! no descriptions, so that the file stays small.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

/// The definitions by their full names, such as `io.k8s.api.apps.v1.Deployment`.
static DEFINITIONS: LazyLock<BTreeMap<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("kubernetes.json")).unwrap_or_default());

/// Returns a definition by its full name. References in it are `#/components/schemas/<full name>`.
pub fn definition(name: &str) -> Option<&'static Value> {
    DEFINITIONS.get(name)
}

/// Returns the full names of all definitions.
pub fn names() -> impl Iterator<Item = &'static str> {
    DEFINITIONS.keys().map(String::as_str)
}

/// Returns the full name of the definition that a schema refers to, with or without a description next to the reference.
pub fn reference(schema: &Value) -> Option<&str> {
    referred(schema.pointer("/allOf/0").unwrap_or(schema))
}

fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

/// Returns the full names of all definitions that a definition needs, including itself.
pub fn closure(name: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&str> = vec![name];
    while let Some(name) = waiting.pop() {
        if let Some((name, definition)) = DEFINITIONS.get_key_value(name)
            && found.insert(name.as_str())
        {
            references(definition, &mut waiting);
        }
    }
    found
}

fn references<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    match schema {
        Value::Object(members) => {
            found.extend(referred(schema));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// Returns a schema with every reference replaced by its definition, as a CustomResourceDefinition requires.
fn inlined(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let definition = reference(schema).and_then(definition).map(inlined);
            let mut all = definition.and_then(|schema| schema.as_object().cloned()).unwrap_or_default();
            let own = members.iter().filter(|(key, _)| !matches!(key.as_str(), "$ref" | "allOf"));
            all.extend(own.map(|(key, value)| (key.clone(), inlined(value))));
            Value::Object(all)
        }
        Value::Array(items) => items.iter().map(inlined).collect(),
        other => other.clone(),
    }
}

macro_rules! stand_ins {
    ($($name:ident => $full:literal;)*) => {
        $(
            /// Represents the type of that name where a schema is derived.
            pub struct $name;

            impl JsonSchema for $name {
                fn schema_name() -> Cow<'static, str> {
                    $full.into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    match definition($full).map(inlined) {
                        Some(Value::Object(members)) => members.into(),
                        _ => Map::new().into(),
                    }
                }
            }
        )*
    };
}

stand_ins! {
    LabelSelector => "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector";
    LabelSelectorRequirement => "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement";
    Quantity => "io.k8s.apimachinery.pkg.api.resource.Quantity";
    ResourceRequirements => "io.k8s.api.core.v1.ResourceRequirements";
    Toleration => "io.k8s.api.core.v1.Toleration";
}
