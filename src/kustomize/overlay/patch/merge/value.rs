//! Strategic merge of plain data, as an API server does it: unlike kustomize, it puts new elements at the end of a list.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/util/strategicpatch`.

use serde_json::{Map, Value};

use super::schema::{BuiltinField, BuiltinType, of_kind};

/// The key of a directive.
const DIRECTIVE: &str = "$patch";

/// Why a patch does not match its object. Displays as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A directive that is not supported.
    #[error("{0} is not supported in a patch; write $patch: delete or $patch: replace")]
    Directive(String),
    /// An element of a list without the field that identifies it.
    #[error("an element of {list} has no {key}, by which elements are merged; add it")]
    Key {
        /// The field with the list.
        list: String,
        /// The field of the element.
        key: String,
    },
}

/// Merges a patch into an object. Returns `false`, and changes nothing, if the lists of its kind are not known.
///
/// # Errors
/// [`Mismatch`]
pub fn merge_value(object: &mut Value, patch: &Map<String, Value>) -> Result<bool, Mismatch> {
    let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let Some(type_) = of_kind(text("apiVersion"), text("kind")) else { return Ok(false) };
    map(object, patch, Some(type_))?;
    Ok(true)
}

fn map(value: &mut Value, patch: &Map<String, Value>, type_: Option<&'static BuiltinType>) -> Result<(), Mismatch> {
    match patch.get(DIRECTIVE).map(|directive| directive.as_str().unwrap_or_default()) {
        None | Some("merge") => {}
        Some("replace") => *value = Value::Object(Map::new()),
        Some(other) => return Err(Mismatch::Directive(format!("{DIRECTIVE}: {other}"))),
    }
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let Value::Object(members) = value else { return Ok(()) };
    for (name, given) in patch.iter().filter(|(name, _)| *name != DIRECTIVE) {
        if name.starts_with('$') {
            return Err(Mismatch::Directive(name.clone()));
        }
        let field = type_.and_then(|type_| type_.field(name));
        match (given, field) {
            (Value::Null, _) => drop(members.remove(name)),
            (Value::Object(given), _) if is_deletion(given) => drop(members.remove(name)),
            (Value::Object(given), field) => {
                let type_ = if let Some(BuiltinField::Object(type_)) = field { Some(type_) } else { None };
                map(members.entry(name).or_insert(Value::Null), given, type_)?;
            }
            (Value::Array(given), Some(BuiltinField::Keyed(keys, type_))) => {
                let value = members.entry(name).or_insert(Value::Null);
                let mut items = std::mem::take(value).as_array_mut().map(std::mem::take).unwrap_or_default();
                list(name, (&mut items, given), keys, type_)?;
                *value = Value::Array(items);
            }
            (Value::Array(given), Some(BuiltinField::Set)) => {
                let items = members.entry(name).or_insert(Value::Null);
                let known = items.as_array().cloned().unwrap_or_default();
                let new = given.iter().filter(|item| !known.contains(item)).cloned();
                *items = known.iter().cloned().chain(new).collect();
            }
            (given, _) => drop(members.insert(name.clone(), given.clone())),
        }
    }
    Ok(())
}

/// Merges a list whose elements are the same if they have the same values in the keys that the patch gives.
fn list(
    name: &str,
    (list, given): (&mut Vec<Value>, &[Value]),
    keys: &[&str],
    type_: Option<&'static BuiltinType>,
) -> Result<(), Mismatch> {
    let no_key = || Mismatch::Key { list: name.to_owned(), key: keys.join(" and ") };
    let of_list = serde_json::json!({ DIRECTIVE: "replace" });
    if given.contains(&of_list) {
        list.clear();
    }
    for item in given.iter().filter(|item| **item != of_list) {
        let item = item.as_object().ok_or_else(no_key)?;
        let first = keys.iter().find(|key| item.contains_key(**key)).ok_or_else(no_key)?;
        let is_same = |other: &Value| {
            other.get(first).is_some()
                && keys.iter().all(|key| item.get(*key).is_none_or(|own| other.get(key) == Some(own)))
        };
        if is_deletion(item) {
            list.retain(|other| !is_same(other));
            continue;
        }
        match list.iter_mut().find(|other| is_same(other)) {
            Some(other) => map(other, item, type_)?,
            None => {
                let mut new = Value::Null;
                map(&mut new, item, type_)?;
                list.push(new);
            }
        }
    }
    Ok(())
}

fn is_deletion(patch: &Map<String, Value>) -> bool {
    patch.get(DIRECTIVE).is_some_and(|directive| directive == "delete")
}
