//! The check and the composition of a kustomization without vars.

use super::occurrence::{Irreplaceable, Occurrence, occurrences};
use super::text::{replacement, without_vars};
use crate::overlay::{overlays, render};
use crate::vendor::path::parent;
use crate::yaml::{Input, Node, Origin, SourceId, kustomization};
use tidegate_model::diagnostic::Place;
use tidegate_model::tree::Tree;

/// Why vars stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Where.
    pub place: Place,
    /// Why.
    pub message: String,
}

/// Returns a kustomization file with replacements in place of its vars; `None` if it has no vars.
///
/// # Errors
/// [`Refused`] if a replacement cannot do what the vars do, or an overlay of the tree would render to something else.
pub fn vars_to_replacements(tree: &Tree, file: &str) -> Result<Option<String>, Refused> {
    let Some(bytes) = tree.files.get(file) else { return Ok(None) };
    let Ok(Some(node)) = kustomization(Input::of_file(SourceId::default(), bytes)) else { return Ok(None) };
    let Some(entry) = node.as_mapping().and_then(|mapping| mapping.entry("vars")) else { return Ok(None) };
    if entry.value.is_empty() {
        return Ok(None);
    }
    let refused = |message: String| Refused {
        place: place(file, entry.key().origin),
        message: format!("the vars stay: {message}"),
    };
    if node.get("replacements").is_some() {
        return Err(refused("there are replacements already; write the new ones by hand".to_owned()));
    }
    let text = String::from_utf8_lossy(bytes);
    let Some((without, comments)) = without_vars(&text) else {
        return Err(refused("`vars:` must start a line, and no comment may be beside a value".to_owned()));
    };
    let directory = parent(file);
    let before = render(tree, directory);
    if before.is_failed() {
        return Err(refused(Irreplaceable::Unrendered.to_string()));
    }
    let bare = render(&with(tree, file, &without), directory);
    let mut all = comments;
    for var in entry.value.as_sequence().unwrap_or_default() {
        let name = var.get("name").and_then(Node::as_str).unwrap_or_default();
        let found: Vec<Occurrence> =
            occurrences(&bare.objects, &before.objects, name).map_err(|why| refused(why.to_string()))?;
        match found.is_empty() {
            true => return Err(refused(format!("no field refers to $({name}) in this directory"))),
            false => all.push_str(&replacement(var, &found)),
        }
    }
    let fixed =
        format!("{}{}replacements:\n{all}", without.trim_end(), if without.trim().is_empty() { "" } else { "\n" });
    let after = with(tree, file, &fixed);
    let changed = overlays(tree).into_iter().chain([directory.to_owned()]).find(|overlay| {
        let old = render(tree, overlay);
        !old.is_failed() && old.to_yaml().ok() != render(&after, overlay).to_yaml().ok()
    });
    match changed {
        Some(overlay) => Err(refused(format!("with replacements, {overlay} would render to something else"))),
        None => Ok(Some(fixed)),
    }
}

/// Returns a tree with another content of a file.
fn with(tree: &Tree, file: &str, text: &str) -> Tree {
    let mut changed = tree.clone();
    changed.files.insert(file.to_owned(), text.into());
    changed
}

fn place(file: &str, origin: Origin) -> Place {
    Place { file: file.to_owned(), line: origin.line, column: origin.column }
}
