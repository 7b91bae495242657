//! One moment of a journal: everything that the page shows.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use tidegate_journal::file::JournalFile;
use tidegate_journal::history::{History, Story};
use tidegate_journal::snapshot::Snapshot;
use tidegate_journal::{Journal, file};
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
    /// The rollouts that have ended, by path, each with the hash of its file.
    sealed: BTreeMap<String, (u64, Arc<Story>)>,
}

impl Facts {
    /// Returns the name of the instance whose journal it is; empty if it has none.
    pub fn instance(&self) -> &str {
        let identity = self.journal.sync.as_ref().and_then(|sync| sync.instance.as_ref());
        identity.map(|identity| identity.name.as_str()).unwrap_or_default()
    }

    /// Reads a journal from its files, by path. Rollouts that have ended are read once: those that `known` has are taken from there.
    pub fn read(moment: Moment, mut files: BTreeMap<String, Vec<u8>>, known: Option<&Self>) -> Self {
        let fleet = files.get(file::FLEET).and_then(|bytes| Snapshot::read(bytes).ok());
        let (mut sealed, mut unreadable) = (BTreeMap::new(), Vec::new());
        for (path, bytes) in &mut files {
            let Some(JournalFile::Sealed(..)) = JournalFile::of(path) else { continue };
            let hash = hash(bytes);
            let known = known.and_then(|known| known.sealed.get(path)).filter(|(known, _)| *known == hash);
            match known.map(|(_, story)| story.clone()).or_else(|| Story::read(bytes).map(Arc::new)) {
                Some(story) => drop(sealed.insert(path.clone(), (hash, story))),
                None => unreadable.push(path.clone()),
            }
            // The journal only needs to know that the file exists.
            *bytes = Vec::new();
        }
        let journal = Journal::read(files);
        let stories = sealed.values().map(|(_, story)| Story::clone(story)).collect();
        let history = History::of_stories(&journal, stories, unreadable, Vec::new());
        Self { moment, journal, history, fleet, sealed }
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
