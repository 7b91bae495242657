//! Merging of an applied configuration into the live object, and removal of fields.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::set::FieldSet;
use super::shape::{Shape, behind, shape};

/// Merges an applied value into a live value: objects are merged by field, lists of type `map` and `set` by item; anything else
/// is replaced.
pub(crate) fn merge(live: &Value, applied: &Value, schema: Option<&Value>) -> Value {
    match (shape(live, schema), shape(applied, schema)) {
        (Shape::Members(live), Shape::Members(applied)) => {
            let mut merged = live.clone();
            for (name, value) in applied {
                let member = match live.get(name) {
                    Some(live) => merge(live, value, behind(schema, &format!("f:{name}")).0),
                    None => value.clone(),
                };
                merged.insert(name.clone(), member);
            }
            Value::Object(merged)
        }
        (Shape::Items(live), Shape::Items(applied)) => Value::Array(merge_items(&live, &applied, schema)),
        _ => applied.clone(),
    }
}

/// Merges lists. Items in both lists get the order of the applied list; items only in the live list keep their place before them.
///
/// # Source
/// `mergingWalker.visitListItems` of structured-merge-diff.
fn merge_items(live: &[(String, &Value)], applied: &[(String, &Value)], schema: Option<&Value>) -> Vec<Value> {
    let item_schema = schema.and_then(|schema| schema.get("items"));
    let live_by_step: BTreeMap<&str, &Value> = live.iter().map(|(step, item)| (step.as_str(), *item)).collect();
    let applied_by_step: BTreeMap<&str, &Value> = applied.iter().map(|(step, item)| (step.as_str(), *item)).collect();
    let mut shared = applied.iter().map(|(step, _)| step.as_str()).filter(|step| live_by_step.contains_key(step));
    let mut next_shared = shared.next();
    let mut merged = Vec::new();
    let (mut left, mut right) = (live.iter().peekable(), applied.iter().peekable());
    loop {
        if let (Some((left_step, _)), Some((right_step, _))) = (left.peek(), right.peek())
            && left_step != right_step
            && applied_by_step.contains_key(left_step.as_str())
            && next_shared.is_some_and(|next| next != left_step)
        {
            // It is added at its position in the applied list.
            left.next();
            continue;
        }
        if let Some((step, item)) = left.peek()
            && !applied_by_step.contains_key(step.as_str())
        {
            merged.push(Value::clone(item));
            left.next();
            continue;
        }
        let Some((step, item)) = right.next() else { break };
        if left.peek().is_some_and(|(left_step, _)| left_step == step) {
            left.next();
        }
        if next_shared == Some(step.as_str()) {
            next_shared = shared.next();
        }
        merged.push(match live_by_step.get(step.as_str()) {
            Some(live) => merge(live, item, item_schema),
            None => Value::clone(item),
        });
    }
    merged
}

/// Removes fields from a value, and objects and lists that become empty as a result.
pub(crate) fn remove(value: &Value, fields: &FieldSet, schema: Option<&Value>) -> Value {
    let keep = |step: &str, part: &Value| -> Option<Value> {
        let Some(fields) = fields.children.get(step) else { return Some(part.clone()) };
        if fields.is_member {
            return None;
        }
        let rest = remove(part, fields, behind(schema, step).0);
        let emptied =
            |value: &Value| value.as_object().is_some_and(Map::is_empty) || *value == Value::Array(Vec::new());
        (!emptied(&rest) || emptied(part)).then_some(rest)
    };
    match shape(value, schema) {
        Shape::Atomic => value.clone(),
        Shape::Members(members) => {
            let kept =
                members.iter().filter_map(|(name, part)| Some((name.clone(), keep(&format!("f:{name}"), part)?)));
            Value::Object(kept.collect())
        }
        Shape::Items(items) => items.iter().filter_map(|(step, item)| keep(step, item)).collect(),
    }
}
