//! The kustomizations that list a file, and a new one beside it.

use std::collections::BTreeMap;

use tidegate_kustomize::yaml::{Input, SourceId, resources};
use tidegate_model::tree::Tree;

/// Returns the kustomizations that list a file, each with a line for the new file below the one for the other. Both files are in one
/// directory.
pub(super) fn listed(tree: &Tree, file: &str, new_file: &str) -> BTreeMap<String, String> {
    let name = |path: &str| path.rsplit_once('/').map_or(path, |(_, name)| name).to_owned();
    let (old, new) = (name(file), name(new_file));
    let is_kustomization =
        |path: &str| ["kustomization.yaml", "kustomization.yml", "Kustomization"].contains(&name(path).as_str());
    let mut changed = BTreeMap::new();
    for (path, bytes) in tree.files.iter().filter(|(path, _)| is_kustomization(path)) {
        let Some(text) = std::str::from_utf8(bytes).ok() else { continue };
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let Some(line) = line_of(text, |item| joined(directory, item).as_deref() == Some(file)) else { continue };
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        let Some(listing) = lines.get_mut(line) else { continue };
        if !listing.ends_with('\n') {
            listing.push('\n');
        }
        let Some(at) = listing.rfind(&old) else { continue };
        let added = format!("{}{new}{}", &listing[..at], &listing[at + old.len()..]);
        lines.insert(line + 1, added);
        changed.insert(path.clone(), lines.concat());
    }
    changed
}

/// Returns the line, counted from 0, of the first resource that is meant.
fn line_of(text: &str, is_meant: impl Fn(&str) -> bool) -> Option<usize> {
    let nodes = resources(Input::of_file(SourceId::default(), text.as_bytes())).ok()?;
    let items = nodes.iter().filter_map(|node| node.get("resources")?.as_sequence()).flatten();
    let found = items.into_iter().find(|item| item.as_str().is_some_and(&is_meant))?;
    usize::try_from(found.origin.line).ok()?.checked_sub(1)
}

/// Returns the path of a file relative to a directory; `None` if it leads out of the repository.
fn joined(directory: &str, item: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in item.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
