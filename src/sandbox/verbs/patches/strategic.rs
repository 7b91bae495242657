//! Strategic merge patch, for core kinds: like RFC 7386, plus directives and lists that are merged by item.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/util/strategicpatch`.

use serde_json::{Map, Value};

use crate::api_error::ApiError;

/// The lists of the core kinds that are merged by item, with the merge key; empty if items are scalars.
const MERGED_LISTS: [(&str, &str); 4] =
    [("ownerReferences", "uid"), ("finalizers", ""), ("secrets", "name"), ("conditions", "type")];

const ORDER: &str = "$setElementOrder/";
const DELETE_FROM: &str = "$deleteFromPrimitiveList/";
const RETAIN: &str = "$retainKeys";

/// Merges a patch into an object.
///
/// # Errors
/// If a directive of the patch is invalid, or an item of a merged list lacks the merge key.
pub(in crate::verbs) fn merge(object: &mut Value, patch: &Value) -> Result<(), ApiError> {
    if patch.is_object() { merge_value(object, patch) } else { Ok(()) }
}

fn merge_value(value: &mut Value, patch: &Value) -> Result<(), ApiError> {
    let Value::Object(patch) = patch else {
        *value = patch.clone();
        return Ok(());
    };
    match patch.get("$patch").map(|directive| directive.as_str()) {
        None | Some(Some("merge")) => {}
        Some(Some("replace")) => {
            let kept = patch.iter().filter(|(name, _)| *name != "$patch");
            *value = Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect());
            return Ok(());
        }
        Some(Some("delete")) => {
            *value = Value::Object(Map::new());
            return Ok(());
        }
        Some(other) => {
            let other = other.unwrap_or("no text");
            return Err(ApiError::unclassified(format!("unknown patch type found: {other}")));
        }
    }
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let Value::Object(members) = value else { return Ok(()) };
    retain(members, patch)?;
    for (name, listed) in patch {
        if let Some(name) = name.strip_prefix(DELETE_FROM) {
            let gone = listed.as_array().ok_or_else(|| bad_format("$deleteFromPrimitiveList"))?;
            if let Some(Value::Array(items)) = members.get_mut(name) {
                items.retain(|item| !gone.contains(item));
            }
        }
    }
    for (name, patch) in patch.iter().filter(|(name, _)| !name.starts_with('$')) {
        merge_member(members, name, patch)?;
    }
    for (name, order) in patch {
        if let Some(name) = name.strip_prefix(ORDER) {
            let order = order.as_array().ok_or_else(|| bad_format("$setElementOrder"))?;
            if let Some(Value::Array(items)) = members.get_mut(name) {
                sort(items, order, key_of(name));
            }
        }
    }
    Ok(())
}

fn bad_format(directive: &str) -> ApiError {
    ApiError::bad_request(format!("invalid patch format of {directive}"))
}

fn key_of(name: &str) -> Option<&'static str> {
    MERGED_LISTS.iter().find(|(list, _)| *list == name).map(|(_, key)| *key)
}

/// Applies the `$retainKeys` directive: removes the fields that it does not list.
fn retain(members: &mut Map<String, Value>, patch: &Map<String, Value>) -> Result<(), ApiError> {
    let Some(kept) = patch.get(RETAIN) else { return Ok(()) };
    let kept = kept.as_array().ok_or_else(|| bad_format(RETAIN))?;
    members.retain(|name, _| kept.iter().any(|listed| listed == name));
    Ok(())
}

fn merge_member(members: &mut Map<String, Value>, name: &str, patch: &Value) -> Result<(), ApiError> {
    match (patch, key_of(name), members.get_mut(name)) {
        (Value::Null, ..) => {
            members.remove(name);
        }
        (Value::Array(patch), Some(key), Some(Value::Array(items))) => return merge_list(items, patch, key),
        (_, _, Some(member)) => return merge_value(member, patch),
        (_, _, None) => {
            let mut member = Value::Null;
            merge_value(&mut member, patch)?;
            // Directives for missing items have no effect.
            if let Value::Array(items) = &mut member {
                items.retain(|item| item.get("$patch").is_none());
            }
            members.insert(name.to_owned(), member);
        }
    }
    Ok(())
}

fn same<'a>(key: &'a str, one: &'a Value) -> impl Fn(&Value) -> bool + 'a {
    move |other| if key.is_empty() { other == one } else { other.get(key) == one.get(key) }
}

fn merge_list(items: &mut Vec<Value>, patch: &[Value], key: &str) -> Result<(), ApiError> {
    let directive = |item: &Value| item.get("$patch").and_then(Value::as_str).unwrap_or_default().to_owned();
    if patch.iter().any(|item| directive(item) == "replace") {
        *items = patch.iter().filter(|item| item.get("$patch").is_none()).cloned().collect();
        return Ok(());
    }
    for item in patch {
        if !key.is_empty() && item.get(key).is_none() {
            let why = format!("map: {item} does not contain declared merge key: {key}");
            return Err(ApiError::unclassified(why));
        }
        let found = items.iter().position(same(key, item));
        match (found, directive(item).as_str()) {
            (Some(index), "delete") => {
                items.remove(index);
            }
            (None, "delete") => {}
            (Some(index), _) => {
                if let Some(other) = items.get_mut(index) {
                    merge_value(other, item)?;
                }
            }
            (None, _) => items.push(item.clone()),
        }
    }
    Ok(())
}

/// Sorts the items that `order` lists into that order; the other items come before them and keep their order.
fn sort(items: &mut [Value], order: &[Value], key: Option<&str>) {
    let key = key.unwrap_or_default();
    items.sort_by_key(|item| order.iter().position(|listed| same(key, listed)(item)).map_or(0, |at| at + 1));
}
