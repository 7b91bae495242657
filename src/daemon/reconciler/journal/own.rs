//! Which commits of a journal count as the daemon's own.

use crate::reconciler::source::is_signed;
use tidegate_consent::approval;
use tidegate_git::CommitInfo;
use tidegate_journal::writer;
use tidegate_signature::{SigningKey, Store};

/// Maximum number of commits that are looked at, newest first.
pub(super) const MAX_COMMITS: usize = 10_000;

/// The daemon's own key, if it has one.
#[derive(Debug)]
pub(super) struct Own(Option<Store>);

impl Own {
    /// Creates it for the writer with this name.
    pub(super) fn new(key: Option<&SigningKey>, writer: &str) -> Self {
        let store = |key: &SigningKey| Store::read(format!("{writer} {}\n", key.public_key()).as_bytes());
        Self(key.map(|key| store(key).unwrap_or_default()))
    }

    /// Returns `true` if a commit counts as the daemon's own: its key signed it, or, without a key, the commit says so.
    pub(super) fn made(&self, commit: &CommitInfo) -> bool {
        match &self.0 {
            Some(own) => is_signed(own, commit),
            None => approval::trailers(&commit.message).iter().any(|trailer| trailer.is(writer::TRAILER)),
        }
    }
}
