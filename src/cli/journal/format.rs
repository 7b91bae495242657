//! Journals that a later version of Tidegate has written.

use crate::cli::failure::Failure;
use tidegate_journal::Journal;
use tidegate_journal::format::FORMAT;

/// Returns the journal, unless this build would misread it.
pub(super) fn readable(journal: Journal) -> Result<Journal, Failure> {
    match journal.newer {
        None => Ok(journal),
        Some(theirs) => Err(Failure::Usage(format!(
            "the journal has format {theirs}, which a later version of Tidegate has written, and this one knows formats up to {FORMAT}; use \
             that version"
        ))),
    }
}
