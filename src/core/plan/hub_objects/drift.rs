//! Fields that someone else has added to a declared object. For the OCM kinds that Tidegate drives, the declared `spec` is the
//! whole `spec`.
//!
//! Server-side apply restores declared values, but it does not remove what another field manager has added, such as a
//! `numberOfClusters` in a Placement that does not declare one. A field without an owner is a default of the hub, and stays.
//!
//! # Source
//! Kubernetes, "Server-Side Apply": `metadata.managedFields` with `fieldsV1`, whose keys are `f:<field>`, `k:<key fields as JSON>`,
//! `v:<value>` and `i:<index>`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use tidegate_api::key::FIELD_MANAGER;
use tidegate_repository::with_defaults;

/// Fields that others have added to the `spec` of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// The fields, such as `spec.numberOfClusters`.
    pub fields: BTreeSet<String>,
    /// The field managers that own them.
    pub managers: BTreeSet<String>,
    /// The merge patch that removes them.
    pub patch: Value,
}

impl std::fmt::Display for Drift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |set: &BTreeSet<String>| set.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        write!(f, "{} was set by {}", list(&self.fields), list(&self.managers))
    }
}

/// Returns the fields that other field managers have added to the `spec` of an object, if any.
pub fn drift(observed: &Value, declared: &Value) -> Option<Drift> {
    let empty = json!({});
    let is = observed.get("spec")?;
    let managers = observed.pointer("/metadata/managedFields").and_then(Value::as_array)?;
    let found = added(managers, is, declared.get("spec").unwrap_or(&empty), &empty);
    if found.paths.is_empty() {
        return None;
    }
    // A value that another manager wrote and that equals the hub's default counts as a default.
    let defaulted = with_defaults(declared);
    let found = added(managers, is, declared.get("spec").unwrap_or(&empty), defaulted.get("spec").unwrap_or(&empty));
    if found.paths.is_empty() {
        return None;
    }
    let fields = found.paths.iter().map(|path| path.join(".")).collect();
    Some(Drift { fields, managers: found.managers, patch: patch(&found.paths, declared) })
}

/// Collects the fields that managers other than Tidegate own and that are neither declared nor equal to the hub's
/// defaults.
fn added(managers: &[Value], is: &Value, wanted: &Value, defaulted: &Value) -> Found {
    let mut found = Found::default();
    for entry in managers {
        let text = |member: &str| entry.get(member).and_then(Value::as_str).unwrap_or_default();
        if text("manager") == FIELD_MANAGER || !text("subresource").is_empty() {
            continue;
        }
        if let Some(owned) = entry.pointer("/fieldsV1/f:spec") {
            let before = found.paths.len();
            found.walk(owned, is, (wanted, defaulted), &mut vec!["spec".to_owned()]);
            if found.paths.len() > before {
                found.managers.insert(text("manager").to_owned());
            }
        }
    }
    found
}

#[derive(Default)]
struct Found {
    /// The fields to remove, or the lists to replace.
    paths: BTreeSet<Vec<String>>,
    managers: BTreeSet<String>,
}

impl Found {
    /// Walks the fields that a manager owns, and collects those that are observed but not declared.
    fn walk(&mut self, owned: &Value, is: &Value, (wanted, defaulted): (&Value, &Value), path: &mut Vec<String>) {
        let Some(owned) = owned.as_object() else { return };
        for (key, below) in owned {
            match key.split_once(':') {
                Some(("f", name)) => {
                    let Some(is) = is.get(name) else { continue };
                    path.push(name.to_owned());
                    let default = defaulted.get(name).unwrap_or(&Value::Null);
                    match wanted.get(name) {
                        Some(wanted) => self.walk(below, is, (wanted, default), path),
                        None if is == default => {}
                        None => drop(self.paths.insert(path.clone())),
                    }
                    path.pop();
                }
                Some(("k", fields)) => {
                    let Ok(Value::Object(fields)) = serde_json::from_str(fields) else { continue };
                    let Some(is) = item(is, &fields) else { continue };
                    match item(wanted, &fields) {
                        Some(wanted) => {
                            // A field added inside an item is removed by replacing the whole list.
                            let mut inside = Self::default();
                            let default = item(defaulted, &fields).unwrap_or(&Value::Null);
                            inside.walk(below, is, (wanted, default), &mut vec![String::new()]);
                            if !inside.paths.is_empty() {
                                self.paths.insert(path.clone());
                            }
                        }
                        None => drop(self.paths.insert(path.clone())),
                    }
                }
                Some(("v", value)) => {
                    let value: Value = serde_json::from_str(value).unwrap_or_default();
                    let has = |list: &Value| list.as_array().is_some_and(|items| items.contains(&value));
                    if has(is) && !has(wanted) {
                        self.paths.insert(path.clone());
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the item of a list that has these fields.
fn item<'a>(list: &'a Value, fields: &Map<String, Value>) -> Option<&'a Value> {
    // An omitted key field means its default, which is an empty string for the lists of these kinds.
    let has = |item: &Value| {
        fields.iter().all(|(name, value)| item.get(name).map_or(*value == json!(""), |found| found == value))
    };
    list.as_array()?.iter().find(|item| has(item))
}

/// Returns the merge patch that removes fields and resets lists to their declared value.
fn patch(paths: &BTreeSet<Vec<String>>, declared: &Value) -> Value {
    let mut patch = json!({});
    for path in paths {
        let wanted = path.iter().try_fold(declared, |value, name| value.get(name)).cloned().unwrap_or(Value::Null);
        let mut at = &mut patch;
        for name in path {
            if !at.is_object() {
                *at = json!({});
            }
            at = &mut at[name.as_str()];
        }
        *at = wanted;
    }
    patch
}
