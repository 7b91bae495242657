//! Field sets of values, and of the differences between two values.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::set::FieldSet;
use super::shape::{Shape, behind, shape};

/// The fields that differ between two values.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// Fields that only the second value has.
    pub(crate) added: FieldSet,
    /// Fields that both values have, but with different contents.
    pub(crate) modified: FieldSet,
    /// Fields that only the first value has.
    pub(crate) removed: FieldSet,
}

/// Returns the fields of a value, as a manager that applies the value owns them.
pub(crate) fn fields(value: &Value, schema: Option<&Value>) -> FieldSet {
    let mut set = FieldSet::default();
    match shape(value, schema) {
        Shape::Atomic => return FieldSet::leaf(),
        Shape::Members(members) => {
            for (name, member) in members {
                let step = format!("f:{name}");
                let (schema, named) = behind(schema, &step);
                let mut child = fields(member, schema);
                // A declared field is owned through its nested fields, unless it is empty; any other field is also owned itself.
                child.is_member |= !named || member.as_object().is_some_and(serde_json::Map::is_empty);
                set.insert(step, child);
            }
        }
        Shape::Items(items) => {
            for (step, item) in items {
                let (schema, _) = behind(schema, &step);
                let mut child = if step.starts_with("v:") { FieldSet::leaf() } else { fields(item, schema) };
                child.is_member = true;
                set.insert(step, child);
            }
        }
    }
    set
}

/// Compares two values field by field.
pub(crate) fn compare(before: &Value, after: &Value, schema: Option<&Value>) -> Comparison {
    if before == after {
        return Comparison::default();
    }
    if let (Shape::Members(before), Shape::Members(after)) = (shape(before, schema), shape(after, schema)) {
        return compare_members(before, after, schema);
    }
    match (parts(before, schema), parts(after, schema)) {
        (Some(before), Some(after)) => {
            let mut found = Comparison::default();
            for (step, old) in &before {
                let schema = behind(schema, step).0;
                match after.get(step) {
                    None => found.removed.insert(step.clone(), whole(old, schema)),
                    Some(new) => found.insert(step, compare(old, new, schema)),
                }
            }
            for (step, new) in &after {
                if !before.contains_key(step) {
                    found.added.insert(step.clone(), whole(new, behind(schema, step).0));
                }
            }
            found
        }
        _ => Comparison { modified: FieldSet::leaf(), ..Comparison::default() },
    }
}

/// Compares objects field by field. Most fields are equal, and only an equality check is spent on those.
fn compare_members(before: &Map<String, Value>, after: &Map<String, Value>, schema: Option<&Value>) -> Comparison {
    let mut found = Comparison::default();
    for (name, old) in before {
        match after.get(name) {
            Some(new) if new == old => {}
            new => {
                let step = format!("f:{name}");
                let schema = behind(schema, &step).0;
                match new {
                    None => found.removed.insert(step, whole(old, schema)),
                    Some(new) => found.insert(&step, compare(old, new, schema)),
                }
            }
        }
    }
    for (name, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        let step = format!("f:{name}");
        let whole = whole(new, behind(schema, &step).0);
        found.added.insert(step, whole);
    }
    found
}

impl Comparison {
    fn insert(&mut self, step: &str, child: Comparison) {
        self.added.insert(step.to_owned(), child.added);
        self.modified.insert(step.to_owned(), child.modified);
        self.removed.insert(step.to_owned(), child.removed);
    }
}

/// Returns a field and all fields nested in it.
fn whole(value: &Value, schema: Option<&Value>) -> FieldSet {
    let mut set = FieldSet::leaf();
    for (step, part) in parts(value, schema).into_iter().flatten() {
        let child = whole(part, behind(schema, &step).0);
        set.insert(step, child);
    }
    set
}

fn parts<'a>(value: &'a Value, schema: Option<&Value>) -> Option<BTreeMap<String, &'a Value>> {
    match shape(value, schema) {
        Shape::Atomic => None,
        Shape::Members(members) => Some(members.iter().map(|(name, member)| (format!("f:{name}"), member)).collect()),
        Shape::Items(items) => Some(items.into_iter().collect()),
    }
}
