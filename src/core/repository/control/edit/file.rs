//! Applies a change to the bytes of a control file.

use serde_json::{Map, Value};

use super::change::{Change, changed};
use super::text;
use crate::read::file::documents;
use crate::read::misplaced::CONTROL_KIND;
use tidegate_kustomize::yaml::{Node, NodeBudget, Provenance};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::document::API_VERSION;
use tidegate_model::line::visible;

/// The result of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edited {
    /// The file already says so.
    Unchanged,
    /// The new content of the file.
    Written(String),
    /// Nothing is decided any more, so the file is removed.
    Removed,
}

/// A control file to which no change is applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Uneditable {
    /// The loader does not accept it.
    #[error("{0}")]
    Malformed(Diagnostic),
    /// It contains something else.
    #[error("it is not one document of kind {CONTROL_KIND}")]
    Other,
    /// No text with the change has the right content.
    #[error("it cannot be edited")]
    Layout,
}

/// Applies a change to a control file, which may not exist. The other fields stay, and so do comments outside of the field that changes,
/// unless the file has an unusual layout.
///
/// Characters of a reason that YAML does not allow, or that confuse readers, are replaced.
///
/// # Errors
/// [`Uneditable`]
pub fn edited(bytes: Option<&[u8]>, change: &Change) -> Result<Edited, Uneditable> {
    let change = &with_visible_reason(change);
    let (before, node) = match bytes {
        Some(bytes) => parsed(bytes)?,
        None => return Ok(written(text::document(&changed(&header(), change)).filter(|_| !ends(change)))),
    };
    let after = changed(&before, change);
    if after == before {
        return Ok(Edited::Unchanged);
    }
    let source = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
    let is_empty = after.keys().all(|field| matches!(field.as_str(), "apiVersion" | "kind"));
    if is_empty && !source.lines().any(|line| line.trim_start().starts_with('#')) {
        return Ok(Edited::Removed);
    }
    let name = change.field();
    let mut candidates = text::candidates(source, &node, name, before.get(name), after.get(name));
    candidates.extend(text::document(&after));
    let is_right = |text: &String| parsed(text.as_bytes()).is_ok_and(|(found, _)| found == after);
    candidates.into_iter().find(is_right).map(Edited::Written).ok_or(Uneditable::Layout)
}

fn written(text: Option<String>) -> Edited {
    text.map_or(Edited::Unchanged, Edited::Written)
}

/// Returns `true` for a change that only ends something.
fn ends(change: &Change) -> bool {
    matches!(change, Change::Resume | Change::Continue | Change::Release { .. })
}

fn header() -> Map<String, Value> {
    let header = [("apiVersion", API_VERSION), ("kind", CONTROL_KIND)];
    header.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

fn parsed(bytes: &[u8]) -> Result<(Map<String, Value>, Node), Uneditable> {
    let mut provenance = Provenance::default();
    let source = provenance.add_source("control file");
    let mut documents = documents(source, bytes, &NodeBudget::default())
        .map_err(|error| Uneditable::Malformed(provenance.resolve(error)))?;
    match (documents.pop(), documents.pop()) {
        (Some((node, Value::Object(fields))), None) => Ok((fields, node)),
        _ => Err(Uneditable::Other),
    }
}

/// Returns a change whose reason has only characters that any reader shows.
fn with_visible_reason(change: &Change) -> Change {
    let mut change = change.clone();
    match &mut change {
        Change::Pause { reason }
        | Change::Abort { reason, .. }
        | Change::Retry { reason, .. }
        | Change::Quarantine { reason, .. } => *reason = visible(reason),
        Change::Resume | Change::Continue | Change::Release { .. } => {}
    }
    change
}
