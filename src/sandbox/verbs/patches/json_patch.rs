//! JSON Patch (RFC 6902), as a real server applies it: list indexes may count from the end, and copies are limited.
//!
//! # Source
//! `gopkg.in/evanphx/json-patch.v4`.

use serde_json::Value;

use crate::api_error::ApiError;

/// Maximum total size of the copies of a patch, in bytes.
const COPY_LIMIT: usize = 3 * 1024 * 1024;

/// Maximum number of steps of a pointer, and maximum nesting depth of a copied value, so that no patch creates an object too deep
/// to parse.
const DEPTH_LIMIT: usize = 100;

/// An operation that does not apply.
struct Fails;

/// Applies the operations of a patch.
///
/// # Errors
/// If one of them does not apply. A real server does not report which one.
pub(in crate::verbs) fn apply(object: &mut Value, operations: &[Value]) -> Result<(), ApiError> {
    let mut copied = 0;
    for operation in operations {
        carry_out(object, operation, &mut copied).map_err(|Fails| ApiError::unprocessable_patch())?;
    }
    Ok(())
}

fn carry_out(object: &mut Value, operation: &Value, copied: &mut usize) -> Result<(), Fails> {
    let text = |member: &str| operation.get(member).and_then(Value::as_str);
    let path = || text("path").and_then(steps).ok_or(Fails);
    let from = || text("from").and_then(steps).ok_or(Fails);
    let value = || operation.get("value").cloned().unwrap_or_default();
    match text("op").unwrap_or_default() {
        "add" => add(object, &path()?, value()),
        "remove" => remove(object, &path()?).map(drop),
        "replace" => {
            *find(object, &path()?).ok_or(Fails)? = value();
            Ok(())
        }
        "move" => {
            let moved = remove(object, &from()?)?;
            add(object, &path()?, moved)
        }
        "copy" => {
            let found = find(object, &from()?).ok_or(Fails)?.clone();
            *copied += found.to_string().len();
            if *copied > COPY_LIMIT || depth(&found) > DEPTH_LIMIT {
                return Err(Fails);
            }
            add(object, &path()?, found)
        }
        "test" => match find(object, &path()?) {
            Some(found) if *found == value() => Ok(()),
            _ => Err(Fails),
        },
        _ => Err(Fails),
    }
}

/// Returns the nesting depth of a value; 0 for a scalar.
pub(in crate::verbs) fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Parses a JSON pointer.
fn steps(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let steps: Vec<String> =
        pointer.strip_prefix('/')?.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    (steps.len() <= DEPTH_LIMIT).then_some(steps)
}

/// Parses an index into a list with `places` positions; a negative index counts from the end.
fn index(step: &str, places: usize) -> Option<usize> {
    let given: i64 = step.parse().ok()?;
    let at =
        if given < 0 { usize::try_from(i64::try_from(places).ok()? + given).ok()? } else { given.try_into().ok()? };
    (at < places).then_some(at)
}

fn find<'a>(value: &'a mut Value, steps: &[String]) -> Option<&'a mut Value> {
    steps.iter().try_fold(value, |value, step| match value {
        Value::Object(members) => members.get_mut(step),
        Value::Array(items) => {
            let at = index(step, items.len())?;
            items.get_mut(at)
        }
        _ => None,
    })
}

fn add(object: &mut Value, steps: &[String], value: Value) -> Result<(), Fails> {
    let Some((last, parents)) = steps.split_last() else {
        *object = value;
        return Ok(());
    };
    match find(object, parents).ok_or(Fails)? {
        Value::Object(members) => {
            members.insert(last.clone(), value);
        }
        Value::Array(items) if last == "-" => items.push(value),
        Value::Array(items) => {
            let at = index(last, items.len() + 1).ok_or(Fails)?;
            items.insert(at, value);
        }
        _ => return Err(Fails),
    }
    Ok(())
}

fn remove(object: &mut Value, steps: &[String]) -> Result<Value, Fails> {
    let (last, parents) = steps.split_last().ok_or(Fails)?;
    match find(object, parents).ok_or(Fails)? {
        Value::Object(members) => members.remove(last).ok_or(Fails),
        Value::Array(items) => {
            let at = index(last, items.len()).ok_or(Fails)?;
            Ok(items.remove(at))
        }
        _ => Err(Fails),
    }
}
