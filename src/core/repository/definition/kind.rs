//! The kinds of definitions, with their schemas.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::read::document::{any, document, map, text};
use tidegate_api::schema::Schema;

/// The kind that defines a type of components.
pub(crate) const COMPONENT: &str = "ComponentDefinition";
/// The kind that defines a type of traits.
pub(crate) const TRAIT: &str = "TraitDefinition";

static COMPONENTS: LazyLock<Schema> = LazyLock::new(|| {
    let definition = json!({
        "type": "object",
        "required": ["apiVersion", "kind"],
        "properties": { "apiVersion": text(), "kind": text() },
    });
    let workload = json!({ "type": "object", "properties": { "type": text(), "definition": definition } });
    Schema::compile(&document(
        &["schematic"],
        &json!({
            "workload": workload,
            "schematic": schematic(&json!({ "objects": objects(1) })),
            "status": any(),
            // Without effect.
            "childResourceKinds": any(), "podSpecPath": any(), "revisionLabel": any(), "extension": any(), "version": any(),
        }),
    ))
});

static TRAITS: LazyLock<Schema> = LazyLock::new(|| {
    let texts = || json!({ "type": "array", "items": text() });
    let flag = || json!({ "type": "boolean" });
    let patches = json!({ "objects": objects(0), "patch": map(), "jsonPatch": { "type": "array", "maxItems": 100, "items": map() } });
    Schema::compile(&document(
        &["schematic"],
        &json!({
            "appliesToWorkloads": texts(),
            "conflictsWith": texts(),
            "schematic": schematic(&patches),
            "manageWorkload": flag(), "controlPlaneOnly": flag(), "stage": text(), "status": any(),
            // Without effect.
            "podDisruptive": flag(), "revisionEnabled": any(), "workloadRefPath": any(), "definitionRef": any(), "extension": any(),
            "skipRevisionAffect": any(), "version": any(),
        }),
    ))
});

/// Returns the schema of a kind of definitions; `None` for other kinds.
pub(crate) fn schema_of(kind: &str) -> Option<&'static Schema> {
    match kind {
        COMPONENT => Some(&COMPONENTS),
        TRAIT => Some(&TRAITS),
        _ => None,
    }
}

/// Returns the schema of a schematic. `own` has what a template has besides its parameters.
fn schematic(own: &Value) -> Value {
    let mut tidegate = json!({ "parameters": map() });
    if let (Value::Object(members), Value::Object(own)) = (&mut tidegate, own) {
        members.extend(own.clone());
    }
    let parameter = json!({
        "type": "object",
        "required": ["name", "type", "fieldPaths"],
        "properties": {
            "name": text(),
            "type": { "type": "string", "enum": ["string", "number", "boolean"] },
            "fieldPaths": { "type": "array", "minItems": 1, "maxItems": 100, "items": text() },
            "required": { "type": "boolean" },
            "description": { "type": "string" },
        },
    });
    let kube = json!({
        "type": "object",
        "required": ["template"],
        "properties": { "template": map(), "parameters": named(parameter) },
    });
    let tidegate = json!({ "type": "object", "properties": tidegate });
    json!({
        "type": "object",
        "properties": { "kube": kube, "tidegate": tidegate, "cue": any(), "helm": any(), "terraform": any() },
    })
}

/// Returns the schema of a list of at least this many objects.
fn objects(least: usize) -> Value {
    let texts = || json!({ "type": "array", "maxItems": 10, "items": { "type": "string" } });
    let object = json!({
        "type": "object",
        "required": ["name", "template"],
        "properties": {
            "name": text(),
            "template": map(),
            "includeWhen": texts(),
            "forEach": { "type": "array", "maxItems": 5, "items": map() },
            "readyWhen": texts(),
        },
    });
    let mut objects = named(object);
    objects["minItems"] = json!(least);
    objects
}

fn named(items: Value) -> Value {
    json!({
        "type": "array", "maxItems": 100, "items": items,
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
    })
}
