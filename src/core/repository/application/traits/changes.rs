//! Which fields of a workload a trait changes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

/// Fields that identify the items of a list. The first one that all items have is used.
const IDENTITIES: [&str; 4] = ["name", "mountPath", "ip", "topologyKey"];

/// The path of a field. An item of a list with names has a step with its name in brackets.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Field(pub(super) Vec<String>);

impl Field {
    fn member(&self, name: &str) -> Self {
        Self(self.0.iter().cloned().chain([name.to_owned()]).collect())
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            let dot = if index == 0 || step.starts_with('[') { "" } else { "." };
            write!(f, "{dot}{step}")?;
        }
        Ok(())
    }
}

/// A field that has changed.
#[derive(Debug, PartialEq)]
pub(super) struct Change {
    pub(super) field: Field,
    /// Whether items were added to a list without names, and the others stayed.
    pub(super) adds: bool,
}

/// Returns the fields that differ, without those that contain others.
pub(super) fn changes(before: &Value, after: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    compare(Field::default(), Some(before), Some(after), &mut found);
    found
}

fn compare(field: Field, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<Change>) {
    if before == after {
        return;
    }
    let [old, new] = [before, after].map(|side| parts(side, before, after));
    match (old, new) {
        (Some(old), Some(new)) => {
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for name in names {
                compare(field.member(name), old.get(name).copied(), new.get(name).copied(), found);
            }
        }
        _ => {
            let adds = match (before, after) {
                (Some(Value::Array(before)), Some(Value::Array(after))) => stay(before, after),
                _ => false,
            };
            found.push(Change { field, adds });
        }
    }
}

/// Returns the parts of one side by name; `None` if they are compared as a whole. A side that is absent has no parts.
fn parts<'v>(
    side: Option<&'v Value>,
    before: Option<&Value>,
    after: Option<&Value>,
) -> Option<BTreeMap<String, &'v Value>> {
    let are = |is: fn(&Value) -> bool| [before, after].into_iter().flatten().all(is);
    if are(Value::is_object) {
        let has_members =
            [before, after].into_iter().flatten().any(|side| side.as_object().is_some_and(|o| !o.is_empty()));
        let members = side.and_then(Value::as_object).into_iter().flatten();
        return has_members.then(|| members.map(|(name, value)| (name.clone(), value)).collect());
    }
    let lists = [before, after].into_iter().flatten().map(Value::as_array).collect::<Option<Vec<_>>>()?;
    let identity = IDENTITIES.into_iter().find(|name| lists.iter().all(|list| is_identity(name, list)))?;
    if lists.iter().all(|list| list.is_empty()) {
        return None;
    }
    let items = side.and_then(Value::as_array).into_iter().flatten();
    Some(items.filter_map(|item| Some((format!("[{}]", item.get(identity)?.as_str()?), item))).collect())
}

fn is_identity(name: &str, items: &[Value]) -> bool {
    let names: Option<BTreeSet<&str>> = items.iter().map(|item| item.get(name)?.as_str()).collect();
    names.is_some_and(|names| names.len() == items.len())
}

/// Returns `true` if all items of a list are in another one, in their order.
fn stay(before: &[Value], after: &[Value]) -> bool {
    let mut rest = after.iter();
    before.iter().all(|item| rest.any(|other| other == item))
}
