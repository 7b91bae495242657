//! The file of an approval: adds the user's approval to it, or removes it.

use crate::cli::failure::Failure;
use tidegate_consent::file::{Approval, Entry, read, with, without};
use tidegate_model::document::API_VERSION;
use tidegate_model::tree::Tree;

/// A change of the file.
#[derive(Debug)]
pub(super) enum Change {
    /// The file has an approval of the person.
    Approved(Entry),
    /// There is no approval of the person to withdraw.
    Nothing,
    /// The new content; `None` to remove the file.
    Written(Option<Vec<u8>>),
}

/// Returns the document with one approval.
pub(crate) fn document(
    addon: &tidegate_model::name::UnitName,
    digest: &str,
    group: Option<&str>,
    entry: Entry,
) -> Approval {
    Approval {
        api_version: API_VERSION.to_owned(),
        kind: "Approval".to_owned(),
        addon: addon.clone(),
        digest: digest.to_owned(),
        group: group.map(str::to_owned),
        approvals: vec![entry],
    }
}

/// Adds an approval. Without `again`, an earlier one of the same person for the same instance is enough. Whether that one counts depends on who
/// signed it, and on the rule.
///
/// # Errors
/// [`Failure::Usage`] if the file cannot be changed.
pub(super) fn added(tree: &Tree, path: &str, new: &Approval, again: bool) -> Result<Change, Failure> {
    clear(tree, path)?;
    let present = tree.files.get(path).map(Vec::as_slice);
    let before = present.and_then(|bytes| read(path, bytes).ok());
    let before = before.filter(|before| before.digest == new.digest && before.group == new.group && !again);
    let entries = before.as_ref().map(|before| before.approvals.as_slice()).unwrap_or_default();
    let is_same = |entry: &&Entry| {
        let wanted = new.approvals.first();
        wanted.is_some_and(|new| {
            (&entry.by, &entry.instance, entry.break_glass) == (&new.by, &new.instance, new.break_glass)
        })
    };
    if let Some(same) = entries.iter().find(is_same) {
        return Ok(Change::Approved(same.clone()));
    }
    let bytes = with(path, present, new).map_err(|error| unusable(&error))?;
    Ok(Change::Written(Some(bytes)))
}

/// Removes the approvals of a person.
///
/// # Errors
/// [`Failure::Usage`] if the file cannot be changed.
pub(super) fn withdrawn(tree: &Tree, path: &str, by: &str) -> Result<Change, Failure> {
    clear(tree, path)?;
    let Some(present) = tree.files.get(path) else { return Ok(Change::Nothing) };
    let before = read(path, present).map_err(|error| unusable(&error))?;
    if !before.approvals.iter().any(|entry| entry.by == by) {
        return Ok(Change::Nothing);
    }
    without(path, present, |entry| entry.by == by).map(Change::Written).map_err(|error| unusable(&error))
}

fn unusable(error: &tidegate_model::diagnostic::Diagnostic) -> Failure {
    Failure::Usage(format!("the file of approvals cannot be changed: {error}"))
}

/// Refuses a path at which, or above which, there is something else than files and directories.
fn clear(tree: &Tree, path: &str) -> Result<(), Failure> {
    let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    for place in above.clone().chain([path]) {
        if let Some(why) = tree.skipped.get(place) {
            return Err(Failure::Usage(format!(
                "{path} cannot be written, because of {place}: {why}; remove it first"
            )));
        }
    }
    match above.into_iter().find(|place| tree.files.contains_key(*place)) {
        Some(file) => Err(Failure::Usage(format!(
            "{path} cannot be written, because {file} is a file; remove or rename it first"
        ))),
        None => Ok(()),
    }
}
