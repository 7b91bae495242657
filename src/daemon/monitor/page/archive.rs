//! Where the page reads the journal.

use std::collections::BTreeMap;
use std::time::Duration;

use tidegate_model::revision::CommitId;
use tidegate_page::Moment;

/// The journal cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(pub String);

/// A journal with its history. The methods block.
pub trait Archive: Send + Sync + 'static {
    /// How often the journal is looked at while the page is read.
    fn pause(&self) -> Duration;

    /// Returns the newest entries, newest first, at most as many as asked for.
    ///
    /// # Errors
    /// [`Unavailable`] if there is no journal, or it cannot be read.
    fn moments(&self, limit: usize) -> Result<Vec<Moment>, Unavailable>;

    /// Returns the files of an entry, by path.
    ///
    /// # Errors
    /// [`Unavailable`] if they cannot be read.
    fn files(&self, commit: &CommitId) -> Result<BTreeMap<String, Vec<u8>>, Unavailable>;
}
