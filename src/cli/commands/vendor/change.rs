//! What a run of `tidegate vendor` changed, for people who review it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::vela;
use tidegate_kustomize::vendor::{Entry, Lock, What};
use tidegate_kustomize::yaml::{self, Input, Node, SourceId};
use tidegate_model::digest::short;
use tidegate_model::tree::Tree;

/// What happened to a vendored directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Action {
    /// It is new.
    Added,
    /// It has another content, or comes from another commit or version.
    Updated,
    /// Its files are again those of the lock.
    Restored,
    /// Nothing uses it any more.
    Removed,
    /// Nothing declares the application any more. Its file stays.
    Released,
}

/// A change of a vendored directory.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change {
    pub(super) directory: String,
    pub(super) action: Action,
    /// The source as it is declared, or the name of the chart.
    pub(super) source: String,
    /// The commit or version before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    /// The commit or version now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<String>,
    /// The objects of a chart, or the files of anything else.
    pub(super) added: Vec<String>,
    pub(super) changed: Vec<String>,
    pub(super) removed: Vec<String>,
}

/// The vendored files at one moment.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) tree: &'a Tree,
    pub(super) lock: &'a Lock,
}

/// Returns what changed, sorted by directory.
pub(super) fn changes(before: Side<'_>, after: Side<'_>) -> Vec<Change> {
    let by_directory = |lock: &'_ Lock| -> BTreeMap<String, Entry> {
        lock.entries.iter().map(|entry| (entry.directory.clone(), entry.clone())).collect()
    };
    let (old, new) = (by_directory(before.lock), by_directory(after.lock));
    let mut changes = Vec::new();
    for (directory, entry) in &old {
        if !new.contains_key(directory) {
            changes.push(change(Action::Removed, Some((before, entry)), None));
        }
    }
    for (directory, entry) in &new {
        match old.get(directory) {
            None => changes.push(change(Action::Added, None, Some((after, entry)))),
            Some(was) => {
                let difference = change(Action::Updated, Some((before, was)), Some((after, entry)));
                let is_same = was.what == entry.what && was.files == entry.files;
                let has_same_files = contents(before.tree, entry) == contents(after.tree, entry);
                match (is_same, has_same_files) {
                    (true, true) => {}
                    (true, false) => changes.push(Change { action: Action::Restored, ..difference }),
                    (false, _) => changes.push(difference),
                }
            }
        }
    }
    changes.extend(vela::changes(before, after));
    changes.sort_by(|a, b| a.directory.cmp(&b.directory));
    changes
}

fn change(action: Action, before: Option<(Side<'_>, &Entry)>, after: Option<(Side<'_>, &Entry)>) -> Change {
    let entry = after.or(before).map(|(_, entry)| entry);
    let parts =
        |side: Option<(Side<'_>, &Entry)>| side.map(|(side, entry)| parts(side.tree, entry)).unwrap_or_default();
    let (old, new) = (parts(before), parts(after));
    let names = |of: &BTreeMap<String, Vec<u8>>, keep: &dyn Fn(&str, &[u8]) -> bool| -> Vec<String> {
        of.iter().filter(|(name, content)| keep(name, content)).map(|(name, _)| name.clone()).collect()
    };
    Change {
        directory: entry.map(|entry| entry.directory.clone()).unwrap_or_default(),
        action,
        source: entry.map(|entry| source(&entry.what)).unwrap_or_default(),
        from: before.and_then(|(_, entry)| version(&entry.what)),
        to: after.and_then(|(_, entry)| version(&entry.what)),
        added: names(&new, &|name, _| !old.contains_key(name)),
        changed: names(&new, &|name, content| old.get(name).is_some_and(|was| was != content)),
        removed: names(&old, &|name, _| !new.contains_key(name)),
    }
}

/// Returns the source of an entry as it is declared, or the name of the chart.
pub(super) fn source(what: &What) -> String {
    match what {
        What::Git(git) => git.source.clone(),
        What::File(file) => file.source.clone(),
        What::Chart(chart) => chart.name.clone(),
    }
}

fn version(what: &What) -> Option<String> {
    match what {
        What::Git(git) => Some(short(&git.commit).to_owned()),
        What::File(_) => None,
        What::Chart(chart) => Some(chart.version.clone()),
    }
}

/// Returns the files of an entry, relative to its directory; those of links are their targets.
fn contents(tree: &Tree, entry: &Entry) -> BTreeMap<String, Vec<u8>> {
    let below = format!("{}/", entry.directory);
    let relative = |path: &String| path.strip_prefix(&below).map(str::to_owned);
    let files = tree.files.range(below.clone()..).map_while(|(path, bytes)| Some((relative(path)?, bytes.clone())));
    let links = tree.links.range(below.clone()..);
    let links = links.map_while(|(path, target)| Some((relative(path)?, target.clone().into_bytes())));
    files.chain(links).collect()
}

/// Returns the objects of a chart by their names, and the files of anything else.
fn parts(tree: &Tree, entry: &Entry) -> BTreeMap<String, Vec<u8>> {
    let files = contents(tree, entry);
    let What::Chart(_) = &entry.what else { return files };
    let mut objects = BTreeMap::new();
    for bytes in files.values() {
        for node in yaml::resources(Input::of_file(SourceId::default(), bytes)).unwrap_or_default() {
            let text = |path: &[&str]| node.find(path).and_then(Node::as_str).unwrap_or_default().to_owned();
            let (kind, name) = (text(&["kind"]), text(&["metadata", "name"]));
            let namespace = text(&["metadata", "namespace"]);
            let namespace = if namespace.is_empty() { namespace } else { format!("{namespace}/") };
            let value = node.to_value().unwrap_or(Value::Null);
            // The order distinguishes objects of the same name.
            let name = format!("{kind} {namespace}{name}");
            let more = (2..).map(|at| format!("{name} ({at})"));
            let free = std::iter::once(name.clone()).chain(more).find(|name| !objects.contains_key(name));
            objects.insert(free.unwrap_or(name), value.to_string().into_bytes());
        }
    }
    objects
}
