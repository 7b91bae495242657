//! The pods of a workload, as traits find them.

use serde_json::Value;

use crate::application::traits::target::Problem;

/// Returns the specification of the pods of a workload.
pub(in crate::application::traits) fn pod(workload: &mut Value) -> Option<&mut Value> {
    let at = ["/spec/template/spec", "/spec/jobTemplate/spec/template/spec"];
    let at = at.into_iter().find(|at| workload.pointer(at).is_some_and(Value::is_object))?;
    workload.pointer_mut(at)
}

/// Returns the first container of a workload.
pub(in crate::application::traits) fn first_container(workload: &mut Value) -> Option<&mut Value> {
    pod(workload)?.get_mut("containers")?.get_mut(0).filter(|container| container.is_object())
}

/// Returns the container with a name.
///
/// # Errors
/// A problem at a path of the properties that names it.
pub(in crate::application::traits) fn container<'w>(
    workload: &'w mut Value,
    name: &str,
    at: &[&str],
) -> Result<&'w mut Value, Problem> {
    let containers = pod(workload).and_then(|pod| pod.get_mut("containers")?.as_array_mut());
    let containers = containers.map(Vec::as_mut_slice).unwrap_or_default();
    let known: Vec<&str> = containers.iter().filter_map(|container| container.get("name")?.as_str()).collect();
    let why = format!("names container {name:?}, which the pods do not have; {}", remedy(name, &known));
    let found = containers.iter_mut().find(|container| container.get("name").and_then(Value::as_str) == Some(name));
    found.ok_or_else(|| Problem::at(at, why))
}

fn remedy(name: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "move the trait to a component with containers".to_owned();
    }
    tidegate_model::near::remedy(name, known.iter().copied())
}

/// Adds an item to a list of an object, in place of the one with the same name.
pub(in crate::application::traits) fn put(object: &mut Value, list: &str, item: Value) {
    let name = item.get("name").cloned();
    let Some(members) = object.as_object_mut() else { return };
    let items = members.entry(list).or_insert_with(|| Value::Array(Vec::new()));
    let Some(items) = items.as_array_mut() else { return };
    match items.iter_mut().find(|other| other.get("name") == name.as_ref()) {
        Some(other) => *other = item,
        None => items.push(item),
    }
}
