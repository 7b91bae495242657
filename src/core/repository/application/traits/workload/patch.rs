//! The traits `json-patch` and `json-merge-patch`.
//!
//! # Source
//! RFC 6901 (pointers), RFC 6902 (JSON Patch) and RFC 7396 (JSON Merge Patch).

use serde_json::{Map, Value, json};

use crate::application::schema::{list, object, one_of};
use crate::application::traits::target::{Problem, Target};
use crate::definition::depth;
use tidegate_api::schema::path::Path;
use tidegate_kustomize::yaml::MAX_DEPTH;

/// Maximum size of a patched workload, in bytes of JSON. Copies of copies could otherwise fill the memory.
const MAX_BYTES: usize = 256 * 1024;

const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// Returns the schema of the properties of a `json-patch`.
pub(in crate::application::traits) fn schema() -> Value {
    let pointer = || json!({ "type": "string", "pattern": "^(/.*)?$" });
    let any = json!({ "x-kubernetes-preserve-unknown-fields": true, "nullable": true });
    let operation = json!({ "op": one_of(&OPERATIONS), "path": pointer(), "from": pointer(), "value": any });
    object(&["operations"], json!({ "operations": list(object(&["op", "path"], operation)) }))
}

/// Returns the schema of the properties of a `json-merge-patch`: parts of an object of any kind.
pub(in crate::application::traits) fn merge_schema() -> Value {
    json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
}

/// Merges the properties into the workload. A field that is null is removed.
pub(in crate::application::traits) fn merge(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let Some(workload) = target.objects.first_mut() else { return Ok(()) };
    merged(workload, properties);
    if workload.to_string().len() > MAX_BYTES { Err(too_large(&[])) } else { Ok(()) }
}

fn too_large(at: &[&str]) -> Problem {
    let why = format!("makes the workload larger than {} KiB; patch less, or write smaller objects", MAX_BYTES / 1024);
    Problem::at(at, why)
}

fn merged(value: &mut Value, patch: &Map<String, Value>) {
    if !value.is_object() {
        *value = json!({});
    }
    let Some(members) = value.as_object_mut() else { return };
    for (name, change) in patch {
        match change {
            Value::Null => drop(members.remove(name)),
            Value::Object(change) => merged(members.entry(name).or_insert(Value::Null), change),
            change => drop(members.insert(name.clone(), change.clone())),
        }
    }
}

/// Applies the operations to the workload, in their order.
pub(in crate::application::traits) fn apply(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let Some(workload) = target.objects.first_mut() else { return Ok(()) };
    let mut size = workload.to_string().len();
    let operations = properties.get("operations").and_then(Value::as_array).into_iter().flatten();
    for (index, operation) in operations.enumerate() {
        carry_out(workload, operation, &mut size)
            .map_err(|problem| problem.within(&Path::default().member("operations").item(index)))?;
    }
    Ok(())
}

fn carry_out(workload: &mut Value, operation: &Value, size: &mut usize) -> Result<(), Problem> {
    let text = |member: &str| operation.get(member).and_then(Value::as_str).unwrap_or_default();
    let op = text("op");
    let path = pointer("path", text("path"))?;
    let from = || match operation.get("from") {
        Some(_) => pointer("from", text("from")),
        None => Err(Problem::at(&["from"], format!("is missing; {op} needs it"))),
    };
    let value =
        || operation.get("value").ok_or_else(|| Problem::at(&["value"], format!("is missing; {op} needs it"))).cloned();
    match op {
        "remove" => remove(workload, "path", &path).map(drop),
        "replace" => {
            let value = fits(value()?, &path, size)?;
            *find(workload, "path", &path)? = value;
            Ok(())
        }
        "move" => {
            let from = from()?;
            if path.len() > from.len() && path.starts_with(&from) {
                return Err(Problem::at(&["path"], "is in the field that is moved; choose another path"));
            }
            let moved = remove(workload, "from", &from)?;
            add(workload, &path, fits(moved, &path, &mut 0)?)
        }
        "copy" => {
            let copied = find(workload, "from", &from()?)?.clone();
            add(workload, &path, fits(copied, &path, size)?)
        }
        "test" if *find(workload, "path", &path)? != value()? => {
            Err(Problem::at(&["value"], "is not the value at this path; correct the test, or remove it"))
        }
        "test" => Ok(()),
        _ => add(workload, &path, fits(value()?, &path, size)?),
    }
}

/// Returns a value that is put at a path, if the workload does not become too large or too deep.
fn fits(value: Value, path: &[String], size: &mut usize) -> Result<Value, Problem> {
    *size += value.to_string().len();
    if *size > MAX_BYTES {
        return Err(too_large(&["path"]));
    }
    if path.len() + depth(&value) > MAX_DEPTH {
        return Err(Problem::at(&["path"], format!("makes the workload deeper than {MAX_DEPTH} levels; patch less")));
    }
    Ok(value)
}

fn pointer(member: &str, pointer: &str) -> Result<Vec<String>, Problem> {
    let steps: Vec<String> =
        pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    if steps.len() > MAX_DEPTH {
        return Err(Problem::at(&[member], format!("has more than {MAX_DEPTH} steps; correct it")));
    }
    Ok(steps)
}

/// Returns the index of a list that a step means. Unlike other numbers, it has no sign and no leading zeros.
fn index(step: &str) -> Option<usize> {
    step.parse().ok().filter(|index: &usize| index.to_string() == step)
}

fn missing(member: &str, steps: &[String]) -> Problem {
    let at: String = steps.iter().map(|step| format!("/{step}")).collect();
    Problem::at(
        &[member],
        format!("points to a field that the workload does not have, {at}; correct it, or add that field before"),
    )
}

fn find<'v>(value: &'v mut Value, member: &str, steps: &[String]) -> Result<&'v mut Value, Problem> {
    let mut found = value;
    for (count, step) in steps.iter().enumerate() {
        let next = match found {
            Value::Object(members) => members.get_mut(step),
            Value::Array(items) => index(step).and_then(|index| items.get_mut(index)),
            _ => None,
        };
        found = next.ok_or_else(|| missing(member, steps.get(..=count).unwrap_or_default()))?;
    }
    Ok(found)
}

fn add(workload: &mut Value, steps: &[String], value: Value) -> Result<(), Problem> {
    let Some((last, parents)) = steps.split_last() else {
        *workload = value;
        return Ok(());
    };
    match find(workload, "path", parents)? {
        Value::Object(members) => {
            members.insert(last.clone(), value);
            Ok(())
        }
        Value::Array(items) => {
            let at = if last == "-" { Some(items.len()) } else { index(last).filter(|at| *at <= items.len()) };
            at.map(|at| items.insert(at, value)).ok_or_else(|| missing("path", steps))
        }
        _ => Err(missing("path", steps)),
    }
}

fn remove(workload: &mut Value, member: &str, steps: &[String]) -> Result<Value, Problem> {
    let Some((last, parents)) = steps.split_last() else {
        return Err(Problem::at(&[member], "means the whole workload; name a field of it"));
    };
    let removed = match find(workload, member, parents)? {
        Value::Object(members) => members.remove(last),
        Value::Array(items) => index(last).filter(|at| *at < items.len()).map(|at| items.remove(at)),
        _ => None,
    };
    removed.ok_or_else(|| missing(member, steps))
}
