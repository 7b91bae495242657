//! Adds an approval to a file, and removes one.

use super::document::{Approval, Entry};
use super::read::read;
use tidegate_model::diagnostic::{Diagnostic, Place};

/// Returns the file with one more approval. `present` is its current content, and `new` the document with the approval.
///
/// # Errors
/// A diagnostic if the current content cannot be read, or is about something else.
pub fn with(path: &str, present: Option<&[u8]>, new: &Approval) -> Result<Vec<u8>, Diagnostic> {
    let Some(present) = present else { return written(path, new) };
    let mut approval = read(path, present)?;
    if (&approval.digest, &approval.group) != (&new.digest, &new.group) {
        let why =
            format!("it is about digest {}, and not about {}; remove the file first", approval.digest, new.digest);
        return Err(Diagnostic::error(Place::start_of(path), why));
    }
    approval.approvals.extend(new.approvals.iter().cloned());
    written(path, &approval)
}

/// Returns the file without the approvals of a person; `None` if none is left, and the file is removed.
///
/// # Errors
/// A diagnostic if the current content cannot be read.
pub fn without(path: &str, present: &[u8], is_own: impl Fn(&Entry) -> bool) -> Result<Option<Vec<u8>>, Diagnostic> {
    let mut approval = read(path, present)?;
    approval.approvals.retain(|entry| !is_own(entry));
    if approval.approvals.is_empty() { Ok(None) } else { written(path, &approval).map(Some) }
}

fn written(path: &str, approval: &Approval) -> Result<Vec<u8>, Diagnostic> {
    let text = serde_saphyr::to_string(approval);
    let text = text.map_err(|error| Diagnostic::error(Place::start_of(path), error.to_string()))?;
    // What is written must be readable, whatever the reason contains.
    read(path, text.as_bytes()).map(|_| text.into_bytes())
}
