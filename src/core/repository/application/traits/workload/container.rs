//! The traits `command`, `container-image` and `resource`, which change containers.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::pods::{container, first_container};
use crate::application::parsed::set;
use crate::application::schema::{list, object, one_of, quantity, text, texts};
use crate::application::traits::target::{Problem, Target};
use tidegate_api::schema::path::Path;

/// Returns the schema of the properties of a `command`.
pub(in crate::application::traits) fn command_schema() -> Value {
    let of_one = json!({
        "containerName": { "type": "string" },
        "command": texts(), "args": texts(), "addArgs": texts(), "delArgs": texts(),
    });
    of_some(&of_one)
}

/// Returns the schema of the properties of a `container-image`.
pub(in crate::application::traits) fn image_schema() -> Value {
    let policies = ["", "IfNotPresent", "Always", "Never"];
    of_some(&json!({ "containerName": { "type": "string" }, "image": text(), "imagePullPolicy": one_of(&policies) }))
}

/// Returns the schema of properties of one container, or of a list of containers.
fn of_some(of_one: &Value) -> Value {
    let mut properties = of_one.clone();
    properties["containers"] = list(object(&["containerName"], of_one.clone()));
    object(&[], properties)
}

/// Returns the schema of the properties of a `resource`.
pub(in crate::application::traits) fn resource_schema() -> Value {
    let amounts = || json!({ "cpu": quantity(), "memory": quantity() });
    let mut properties = amounts();
    properties["requests"] = object(&[], amounts());
    properties["limits"] = object(&[], amounts());
    object(&[], properties)
}

/// Calls a function for each container that the properties mean, with its properties. By default that is the container of the component.
fn each(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
    change: impl Fn(&mut Value, &Map<String, Value>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let Some(workload) = target.objects.first_mut() else { return Ok(()) };
    let Some(listed) = properties.get("containers").and_then(Value::as_array) else {
        return one(workload, target.component, properties, change);
    };
    if let Some(other) = properties.keys().find(|member| *member != "containers") {
        return Err(Problem::at(&[other], "has no effect beside containers; write it there"));
    }
    for (index, given) in listed.iter().enumerate() {
        let Some(given) = given.as_object() else { continue };
        one(workload, target.component, given, &change)
            .map_err(|problem| problem.within(&Path::default().member("containers").item(index)))?;
    }
    Ok(())
}

fn one(
    workload: &mut Value,
    component: &str,
    given: &Map<String, Value>,
    change: impl Fn(&mut Value, &Map<String, Value>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let named = given.get("containerName").and_then(Value::as_str).filter(|name| !name.is_empty());
    let at: &[&str] = if named.is_some() { &["containerName"] } else { &[] };
    change(container(workload, named.unwrap_or(component), at)?, given)
}

/// Sets the command and the arguments of containers.
pub(in crate::application::traits) fn command(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    each(properties, target, |container, given| {
        let texts = |member: &str| {
            let items = given.get(member)?.as_array()?;
            Some(items.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>())
        };
        let changed = ["addArgs", "delArgs"].into_iter().find(|member| given.contains_key(*member));
        if let Some(member) = changed.filter(|_| given.contains_key("args")) {
            return Err(Problem::at(&[member], "has no effect beside args; write all arguments in args"));
        }
        if let Some(command) = given.get("command") {
            set(container, &["command"], command.clone());
        }
        let own = || {
            let own = container.get("args").and_then(Value::as_array).into_iter().flatten();
            own.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        if !given.contains_key("args") && changed.is_none() {
            return Ok(());
        }
        let mut args = texts("args").unwrap_or_else(own);
        let removed = texts("delArgs").unwrap_or_default();
        let known: BTreeSet<String> = args.iter().cloned().collect();
        args.extend(texts("addArgs").unwrap_or_default().into_iter().filter(|arg| !known.contains(arg)));
        args.retain(|arg| !removed.contains(arg));
        set(container, &["args"], json!(args));
        Ok(())
    })
}

/// Sets the image of containers.
pub(in crate::application::traits) fn image(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    each(properties, target, |container, given| {
        let Some(image) = given.get("image") else {
            return Err(Problem::at(&["image"], "is missing; add it"));
        };
        set(container, &["image"], image.clone());
        if let Some(policy) = given.get("imagePullPolicy").filter(|policy| **policy != "") {
            set(container, &["imagePullPolicy"], policy.clone());
        }
        Ok(())
    })
}

/// Sets what the first container requests, and its limits.
pub(in crate::application::traits) fn resource(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let Some(container) = target.objects.first_mut().and_then(first_container) else { return Ok(()) };
    let both = ["requests", "limits"];
    if both.iter().any(|member| properties.contains_key(*member)) {
        if let Some(alone) = ["cpu", "memory"].into_iter().find(|member| properties.contains_key(*member)) {
            return Err(Problem::at(&[alone], "has no effect beside requests and limits; write it there"));
        }
        for member in both {
            if let Some(amounts) = properties.get(member) {
                let amount = |what: &str, default: &str| amounts.get(what).cloned().unwrap_or_else(|| json!(default));
                let amounts = json!({ "cpu": amount("cpu", "1"), "memory": amount("memory", "2048Mi") });
                set(container, &["resources", member], amounts);
            }
        }
        return Ok(());
    }
    match (properties.get("cpu"), properties.get("memory")) {
        (Some(cpu), Some(memory)) => {
            let amounts = json!({ "cpu": cpu, "memory": memory });
            both.iter().for_each(|member| set(container, &["resources", member], amounts.clone()));
            Ok(())
        }
        (Some(_), None) => {
            Err(Problem::at(&["cpu"], "has no effect without memory; add it, or write requests and limits"))
        }
        (None, Some(_)) => {
            Err(Problem::at(&["memory"], "has no effect without cpu; add it, or write requests and limits"))
        }
        (None, None) => Err(Problem::at(&[], "set nothing; write cpu and memory, or requests and limits")),
    }
}
