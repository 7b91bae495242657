//! Makes an Application whose components contain what `vela dry-run` printed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::expected::{named, overrides, policies_of};
use super::output::{Part, Rendered, Unusable};

/// Most characters of the name of a policy.
const LONGEST: usize = 63;

/// The name of the policy that leaves out what only overrides add.
const NO_OVERRIDE: &str = "without-overrides";

/// Returns the Application with the objects of the output. An override that changes them becomes one with the changed objects.
///
/// # Errors
/// [`Unusable`]
pub(super) fn application(source: &Value, parts: &[Part]) -> Result<Value, Unusable> {
    let overrides = overrides(source, parts)?;
    let mut contents: BTreeMap<&Vec<String>, &Vec<Rendered>> = BTreeMap::new();
    for (overrides, part) in overrides.iter().zip(parts) {
        let known = contents.entry(overrides).or_insert(&part.components);
        if **known != part.components {
            return Err(Unusable::Differs { heading: part.heading.clone() });
        }
    }
    let base = base(source, &contents, parts);
    let mut policies: Vec<Value> = named(source.pointer("/spec/policies"))
        .into_iter()
        .filter(|(_, policy)| policy["type"] != "override")
        .map(|(_, policy)| policy.clone())
        .collect();
    let mut names: BTreeMap<&Vec<String>, String> = BTreeMap::new();
    for (overrides, components) in contents {
        let Some(properties) = difference(&base, components) else { continue };
        let taken: BTreeSet<&str> = policies.iter().filter_map(|policy| policy["name"].as_str()).collect();
        let name = if overrides.is_empty() { NO_OVERRIDE.to_owned() } else { overrides.join("-") };
        let name = free(&name, &taken);
        policies.push(json!({ "name": name, "type": "override", "properties": properties }));
        names.insert(overrides, name);
    }
    let mut spec = json!({ "components": components(source, &base) });
    if !policies.is_empty() {
        spec["policies"] = json!(policies);
    }
    if let Some(workflow) = source.pointer("/spec/workflow") {
        spec["workflow"] = workflow_with(workflow, source, &names);
    }
    Ok(json!({
        "apiVersion": "core.oam.dev/v1beta1",
        "kind": "Application",
        "metadata": metadata(source),
        "spec": spec,
    }))
}

/// Returns the components of the application: those without overrides if some clusters get them, and those that only overrides add.
fn base(source: &Value, contents: &BTreeMap<&Vec<String>, &Vec<Rendered>>, parts: &[Part]) -> Vec<Rendered> {
    let first = contents.get(&Vec::new()).copied().or_else(|| parts.first().map(|part| &part.components));
    let mut all: Vec<Rendered> = first.cloned().unwrap_or_default();
    for rendered in parts.iter().flat_map(|part| &part.components) {
        if all.iter().all(|known| known.component != rendered.component) {
            all.push(rendered.clone());
        }
    }
    let order: Vec<&str> = named(source.pointer("/spec/components")).into_iter().map(|(name, _)| name).collect();
    all.sort_by_key(|rendered| order.iter().position(|name| *name == rendered.component).unwrap_or(order.len()));
    all
}

/// Returns the properties of an override that makes some components of others; `None` if they are the same.
fn difference(base: &[Rendered], components: &[Rendered]) -> Option<Value> {
    let changed = components.iter().filter(|rendered| !base.contains(rendered));
    let changed: Vec<Value> = changed
        .map(|rendered| json!({ "name": rendered.component, "properties": { "objects": rendered.objects } }))
        .collect();
    let is_kept = |known: &Rendered| components.iter().any(|rendered| rendered.component == known.component);
    let mut properties = Map::new();
    if !changed.is_empty() {
        properties.insert("components".to_owned(), json!(changed));
    }
    if !base.iter().all(is_kept) {
        let kept: Vec<&str> = components.iter().map(|rendered| rendered.component.as_str()).collect();
        properties.insert("selector".to_owned(), json!(kept));
    }
    (!properties.is_empty()).then_some(Value::Object(properties))
}

fn components(source: &Value, base: &[Rendered]) -> Vec<Value> {
    let written: BTreeMap<&str, &Value> = named(source.pointer("/spec/components")).into_iter().collect();
    let component = |rendered: &Rendered| {
        let mut component =
            json!({ "name": rendered.component, "type": "k8s-objects", "properties": { "objects": rendered.objects } });
        if let Some(depends) = written.get(rendered.component.as_str()).and_then(|written| written.get("dependsOn")) {
            component["dependsOn"] = depends.clone();
        }
        component
    };
    base.iter().map(component).collect()
}

/// Returns the workflow with the names of the new overrides in place of those that they stand for.
fn workflow_with(workflow: &Value, source: &Value, names: &BTreeMap<&Vec<String>, String>) -> Value {
    let replaced: BTreeSet<&str> = named(source.pointer("/spec/policies"))
        .into_iter()
        .filter(|(_, policy)| policy["type"] == "override")
        .map(|(name, _)| name)
        .collect();
    let mut workflow = workflow.clone();
    let steps = workflow.get_mut("steps").and_then(Value::as_array_mut).into_iter().flatten();
    for step in steps.filter(|step| step["type"] == "deploy") {
        let (own, mut kept): (Vec<String>, Vec<String>) =
            policies_of(step).map(str::to_owned).partition(|name| replaced.contains(name.as_str()));
        kept.extend(names.get(&own).cloned());
        step["properties"]["policies"] = json!(kept);
    }
    workflow
}

fn metadata(source: &Value) -> Value {
    let mut metadata = Map::new();
    for member in ["name", "namespace", "labels", "annotations"] {
        let value = source.pointer(&format!("/metadata/{member}")).filter(|value| !value.is_null());
        metadata.extend(value.map(|value| (member.to_owned(), value.clone())));
    }
    Value::Object(metadata)
}

/// Returns a name that no policy has.
fn free(name: &str, taken: &BTreeSet<&str>) -> String {
    let shortened: String = name.chars().take(LONGEST - 3).collect();
    let more = (2..).map(|number| format!("{shortened}-{number}"));
    let mut all = std::iter::once(if name.len() <= LONGEST { name.to_owned() } else { shortened.clone() }).chain(more);
    all.find(|name| !taken.contains(name.as_str())).unwrap_or_default()
}
