//! Combines two sets of values.

use serde_json::{Map, Value};

/// Two values of a field that cannot be combined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} is {first} in one place and {second} in another, which cannot be combined; use the same kind of value")]
pub struct Mismatch {
    path: String,
    first: &'static str,
    second: &'static str,
}

/// Returns the values of `under` with those of `over` on top. A null in `over` removes the value. Lists are replaced.
///
/// # Errors
/// [`Mismatch`] if a value is a mapping, a list or a scalar in one set, and another of these in the other set.
///
/// # Source
/// kyaml `merge2.Merge` without a schema.
pub(super) fn merge(over: &Value, under: &Value) -> Result<Value, Mismatch> {
    combine(over, under, "the values")
}

fn combine(over: &Value, under: &Value, path: &str) -> Result<Value, Mismatch> {
    match (over, under) {
        (over, Value::Null) => Ok(without_nulls(over)),
        (Value::Object(over), Value::Object(under)) => {
            let mut both = Map::new();
            for (key, value) in under {
                match over.get(key) {
                    Some(Value::Null) => {}
                    Some(own) => drop(both.insert(key.clone(), combine(own, value, key)?)),
                    None => drop(both.insert(key.clone(), value.clone())),
                }
            }
            let added = over.iter().filter(|(key, value)| !under.contains_key(*key) && !value.is_null());
            both.extend(added.map(|(key, value)| (key.clone(), without_nulls(value))));
            Ok(Value::Object(both))
        }
        _ if kind(over) == kind(under) => Ok(over.clone()),
        _ => Err(Mismatch { path: path.to_owned(), first: kind(under), second: kind(over) }),
    }
}

/// Returns a value without the nulls in its mappings, which have nothing to remove.
fn without_nulls(value: &Value) -> Value {
    let Value::Object(values) = value else { return value.clone() };
    let kept = values.iter().filter(|(_, value)| !value.is_null());
    Value::Object(kept.map(|(key, value)| (key.clone(), without_nulls(value))).collect())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Object(_) => "a mapping",
        Value::Array(_) => "a list",
        _ => "a single value",
    }
}
