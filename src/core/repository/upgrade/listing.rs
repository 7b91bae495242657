//! The kustomizations that list a file, and a new one beside it.

use std::collections::BTreeMap;

use super::edit::replaced;
use super::refusal::Refusal;
use tidegate_kustomize::overlay::is_kustomization;
use tidegate_kustomize::yaml::{Input, Origin, SourceId, resources};
use tidegate_model::tree::Tree;

/// Returns the kustomizations that list a file, each with a line for the new file below the one for the other. Both files are in one
/// directory.
///
/// # Errors
/// [`Refusal::Unlisted`] if the file does not have a line of its own in one of them.
pub(super) fn listed(tree: &Tree, file: &str, new_file: &str) -> Result<BTreeMap<String, String>, Refusal> {
    let name = |path: &str| path.rsplit_once('/').map_or(path, |(_, name)| name).to_owned();
    let (old, new) = (name(file), name(new_file));
    let mut changed = BTreeMap::new();
    for (path, bytes) in tree.files.iter().filter(|(path, _)| is_kustomization(path)) {
        let Some(text) = std::str::from_utf8(bytes).ok() else { continue };
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let Some((at, item)) = item(text, |item| joined(directory, item).as_deref() == Some(file)) else { continue };
        let new_item = format!("{}{new}", item.strip_suffix(&old).unwrap_or_default());
        let unlisted = || Refusal::Unlisted { kustomization: path.clone(), file: file.to_owned() };
        changed.insert(path.clone(), added(text, at, &item, &new_item).ok_or_else(unlisted)?);
    }
    Ok(changed)
}

/// Returns a text with a line for the new item below that of another one; `None` if that has no line of its own.
fn added(text: &str, at: Origin, item: &str, new: &str) -> Option<String> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let line = usize::try_from(at.line).ok()?.checked_sub(1)?;
    let listing = lines.get_mut(line)?;
    if !listing.trim_start().starts_with("- ") {
        return None;
    }
    if !listing.ends_with('\n') {
        listing.push('\n');
    }
    let added = replaced(listing, usize::try_from(at.column).ok()?.checked_sub(1)?, item, new)?;
    lines.insert(line + 1, added);
    Some(lines.concat())
}

/// Returns the first resource that is meant, and where it is.
fn item(text: &str, is_meant: impl Fn(&str) -> bool) -> Option<(Origin, String)> {
    let nodes = resources(Input::of_file(SourceId::default(), text.as_bytes())).ok()?;
    let items = nodes.iter().filter_map(|node| node.get("resources")?.as_sequence()).flatten();
    let found = items.into_iter().find(|item| item.as_str().is_some_and(&is_meant))?;
    Some((found.origin, found.as_str()?.to_owned()))
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
