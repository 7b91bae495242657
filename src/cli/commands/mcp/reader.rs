//! The journal for calls: its newest entry, or one of the past.

use std::sync::Arc;
use std::time::Instant;

use crate::cli::commands::ui::JournalArchive;
use tidegate_daemon::monitor::page::{Archive as _, MOMENTS, Unavailable, moment_at, no_entry};
use tidegate_page::{Facts, Moment};

/// Reads the journal at most as often as the page does.
pub(super) struct Reader {
    archive: JournalArchive,
    moments: Vec<Moment>,
    looked: Option<Instant>,
    facts: Option<Arc<Facts>>,
}

impl Reader {
    /// Creates a reader of a journal.
    pub(super) fn new(archive: JournalArchive) -> Self {
        Self { archive, moments: Vec::new(), looked: None, facts: None }
    }

    /// Returns the journal at a moment; an empty text is now. Blocks.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub(super) fn at(&mut self, at: &str) -> Result<Arc<Facts>, Unavailable> {
        if self.looked.is_none_or(|looked| looked.elapsed() >= self.archive.pause()) {
            self.moments = self.archive.moments(MOMENTS)?;
            self.looked = Some(Instant::now());
        }
        let moment = if at.is_empty() { self.moments.first() } else { moment_at(at, &self.moments) };
        let moment = moment.cloned().ok_or_else(|| Unavailable(no_entry(at)))?;
        if let Some(facts) = self.facts.as_ref().filter(|facts| facts.moment.commit == moment.commit) {
            return Ok(facts.clone());
        }
        let facts = Arc::new(Facts::read(moment.clone(), self.archive.files(&moment.commit)?, self.facts.as_deref()));
        self.facts = Some(facts.clone());
        Ok(facts)
    }
}
