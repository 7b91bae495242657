//! What a run changed in the applications that it renders.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::change::{Action, Change, Side};
use tidegate_kustomize::vendor::VendoredApplication;
use tidegate_kustomize::yaml::{self, Input, SourceId};
use tidegate_model::tree::Tree;

/// Returns what changed in applications.
pub(in super::super) fn changes(before: Side<'_>, after: Side<'_>) -> Vec<Change> {
    let by_file = |side: Side<'_>| -> BTreeMap<String, VendoredApplication> {
        side.lock.applications.iter().map(|known| (known.file.clone(), known.clone())).collect()
    };
    let (old, new) = (by_file(before), by_file(after));
    let released = old.iter().filter(|(file, _)| !new.contains_key(*file));
    let mut changes: Vec<Change> =
        released.map(|(_, known)| change(Action::Released, (before, Some(known)), (after, None))).collect();
    for (file, application) in &new {
        let was = old.get(file);
        let is_same_file = before.tree.files.get(file) == after.tree.files.get(file);
        let is_same = was.is_some_and(|was| was.content == application.content && was.inputs == application.inputs);
        let action = match was {
            None => Action::Added,
            Some(_) if is_same && is_same_file => continue,
            Some(_) if is_same => Action::Restored,
            Some(_) => Action::Updated,
        };
        changes.push(change(action, (before, was), (after, Some(application))));
    }
    changes
}

fn change(
    action: Action,
    (before, was): (Side<'_>, Option<&VendoredApplication>),
    (after, application): (Side<'_>, Option<&VendoredApplication>),
) -> Change {
    let known = application.or(was);
    let objects = |side: Side<'_>, known: Option<&VendoredApplication>| {
        known.map(|known| objects(side.tree, &known.file)).unwrap_or_default()
    };
    let (old, new) = (objects(before, was), objects(after, application));
    let names = |of: &BTreeMap<String, String>, keep: &dyn Fn(&str, &str) -> bool| -> Vec<String> {
        of.iter().filter(|(name, content)| keep(name, content)).map(|(name, _)| name.clone()).collect()
    };
    let version = |known: &VendoredApplication| format!("vela {}", known.vela);
    Change {
        directory: known.map(|known| known.file.clone()).unwrap_or_default(),
        action,
        source: known.map(|known| known.app.clone()).unwrap_or_default(),
        from: was.map(version),
        to: application.map(version),
        added: names(&new, &|name, _| !old.contains_key(name)),
        changed: names(&new, &|name, content| old.get(name).is_some_and(|was| was != content)),
        removed: names(&old, &|name, _| !new.contains_key(name)),
    }
}

/// Returns the objects in an Application by their names, each with its component, and with the override that changes it.
fn objects(tree: &Tree, file: &str) -> BTreeMap<String, String> {
    let bytes = tree.files.get(file).map(Vec::as_slice).unwrap_or_default();
    let nodes = yaml::manifests(Input::of_file(SourceId::default(), bytes)).unwrap_or_default();
    let application = nodes.first().and_then(|node| node.to_value().ok()).unwrap_or_default();
    let listed = |of: &Value, pointer: &str| of.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default();
    let text = |of: &Value, pointer: &str| of.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut all = BTreeMap::new();
    let mut add = |components: Vec<Value>, of: &str| {
        for component in components {
            for object in listed(&component, "/properties/objects") {
                let (kind, name) = (text(&object, "/kind"), text(&object, "/metadata/name"));
                all.insert(format!("{}: {kind} {name}{of}", text(&component, "/name")), object.to_string());
            }
        }
    };
    add(listed(&application, "/spec/components"), "");
    for policy in listed(&application, "/spec/policies") {
        add(listed(&policy, "/properties/components"), &format!(" with {}", text(&policy, "/name")));
    }
    all
}
