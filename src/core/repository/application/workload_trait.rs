//! The traits of components: their properties, and what they change.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::kind::COMPONENT_LABEL;
use super::parsed::{Component, Trait, set};
use tidegate_api::schema::Schema;

/// The traits with the schemas of their properties.
static TYPES: LazyLock<BTreeMap<&'static str, Schema>> = LazyLock::new(|| {
    let texts = || json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let port = || json!({ "type": "integer", "minimum": 1, "maximum": 65535 });
    let scaler = json!({
        "type": "object",
        "properties": { "replicas": { "type": "integer", "minimum": 0, "maximum": 2_147_483_647 } },
    });
    let env = json!({
        "type": "object",
        "required": ["env"],
        "properties": { "env": texts() },
    });
    let expose = json!({
        "type": "object",
        "required": ["port"],
        "properties": {
            "port": { "type": "array", "minItems": 1, "items": port() },
            "type": { "type": "string", "enum": ["ClusterIP", "NodePort", "LoadBalancer"] },
            "annotations": texts(),
        },
    });
    let types = [("annotations", texts()), ("env", env), ("expose", expose), ("labels", texts()), ("scaler", scaler)];
    types.into_iter().map(|(name, schema)| (name, Schema::compile(&schema))).collect()
});

/// Returns the schema of the properties of a trait.
pub(crate) fn schema(type_: &str) -> Option<&'static Schema> {
    TYPES.get(type_)
}

/// Returns the names of all traits.
pub(crate) fn types() -> impl Iterator<Item = &'static str> + Clone {
    TYPES.keys().copied()
}

/// Returns what the workload of a component lacks for a trait; `None` if it lacks nothing.
pub(crate) fn missing_workload(type_: &str, workload: &Value) -> Option<&'static str> {
    let kind = workload.get("kind").and_then(Value::as_str).unwrap_or_default();
    match type_ {
        "scaler" if !matches!(kind, "Deployment" | "StatefulSet" | "ReplicaSet") => {
            Some("a Deployment, a StatefulSet or a ReplicaSet")
        }
        "env" if workload.pointer("/spec/template/spec/containers/0").is_none() => Some("a workload with a container"),
        _ => None,
    }
}

/// Applies a trait to the objects of a component. The first object is its workload.
pub(super) fn apply(component: &Component, of_component: &Trait, objects: &mut Vec<Value>) {
    let properties = &of_component.properties;
    match (of_component.type_.as_str(), objects.first_mut()) {
        ("scaler", Some(workload)) => {
            let replicas = properties.get("replicas").cloned().unwrap_or_else(|| json!(1));
            set(workload, &["spec", "replicas"], replicas);
        }
        ("labels" | "annotations", Some(workload)) => {
            let member = of_component.type_.as_str();
            let template = workload.pointer("/spec/template").is_some();
            for (name, value) in properties {
                set(workload, &["metadata", member, name], value.clone());
                if template {
                    set(workload, &["spec", "template", "metadata", member, name], value.clone());
                }
            }
        }
        ("env", Some(workload)) => set_env(workload, properties),
        ("expose", Some(_)) => objects.push(exposed(component, properties)),
        _ => {}
    }
}

/// Sets variables of the first container. A variable that it has gets the new value, in its place.
fn set_env(workload: &mut Value, properties: &Map<String, Value>) {
    let Some(container) = workload.pointer_mut("/spec/template/spec/containers/0") else { return };
    let mut variables = container.get("env").and_then(Value::as_array).cloned().unwrap_or_default();
    let named = |(at, variable): (usize, &Value)| Some((variable.get("name")?.as_str()?.to_owned(), at));
    let known: BTreeMap<String, usize> = variables.iter().enumerate().filter_map(named).collect();
    for (name, value) in properties.get("env").and_then(Value::as_object).into_iter().flatten() {
        let new = json!({ "name": name, "value": value });
        match known.get(name).and_then(|at| variables.get_mut(*at)) {
            Some(known) => *known = new,
            None => variables.push(new),
        }
    }
    set(container, &["env"], Value::Array(variables));
}

fn exposed(component: &Component, properties: &Map<String, Value>) -> Value {
    let numbers = properties.get("port").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_i64);
    let ports: Vec<Value> =
        numbers.map(|port| json!({ "port": port, "targetPort": port, "name": format!("port-{port}") })).collect();
    let mut service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": { "name": component.name },
        "spec": {
            "type": properties.get("type").cloned().unwrap_or_else(|| json!("ClusterIP")),
            "selector": { COMPONENT_LABEL: component.name },
            "ports": ports,
        },
    });
    if let Some(annotations) = properties.get("annotations") {
        set(&mut service, &["metadata", "annotations"], annotations.clone());
    }
    service
}
