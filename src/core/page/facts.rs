//! One moment of a journal: everything that the page shows.

use std::collections::BTreeMap;

use tidegate_journal::history::History;
use tidegate_journal::snapshot::Snapshot;
use tidegate_journal::{Experience, Journal, experience, file};
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// A commit of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The commit.
    pub commit: CommitId,
    /// When it was written.
    pub at: Timestamp,
    /// The first line of its message.
    pub subject: String,
}

/// A journal at one of its commits.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The commit.
    pub moment: Moment,
    /// Its documents.
    pub journal: Journal,
    /// Every rollout, with those in progress.
    pub history: History,
    /// The fleet; `None` if the journal has no record of it that can be read.
    pub fleet: Option<Snapshot>,
    /// How long clusters took in earlier rollouts.
    pub experience: BTreeMap<UnitName, Experience>,
}

impl Facts {
    /// Reads a journal from its files, by path.
    pub fn read(moment: Moment, files: BTreeMap<String, Vec<u8>>) -> Self {
        let fleet = files.get(file::FLEET).and_then(|bytes| Snapshot::read(bytes).ok());
        let experience = experience(&files);
        let journal = Journal::read(files.clone());
        let history = History::of(&journal, &files, Vec::new());
        Self { moment, journal, history, fleet, experience }
    }
}
