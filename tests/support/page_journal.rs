//! A journal in memory for the page, which can fail.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tidegate_daemon::monitor::page::{Archive, Unavailable};
use tidegate_model::revision::CommitId;
use tidegate_page::Moment;

/// The files of a journal.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A journal in memory.
#[derive(Default)]
pub(crate) struct Journal {
    entries: Mutex<Vec<(Moment, Files)>>,
    failure: Mutex<Option<String>>,
    reads: AtomicUsize,
}

impl Journal {
    /// Adds an entry, whose commit has one digit.
    pub(crate) fn write(&self, commit: char, at: &str, files: Files) {
        let moment = Moment { commit: id(commit), at: at.parse().unwrap(), subject: format!("entry {commit}") };
        self.entries.lock().unwrap().insert(0, (moment, files));
    }

    /// From now on, the journal cannot be read for a reason, or it can.
    pub(crate) fn fail(&self, why: Option<&str>) {
        *self.failure.lock().unwrap() = why.map(str::to_owned);
    }

    /// Returns how often files were read.
    pub(crate) fn reads(&self) -> usize {
        self.reads.load(Ordering::SeqCst)
    }
}

pub(crate) fn id(commit: char) -> CommitId {
    commit.to_string().repeat(40).parse().unwrap()
}

/// A journal that is shared with the test.
pub(crate) struct Shared(pub Arc<Journal>);

impl Archive for Shared {
    /// The journal is looked at for each request.
    fn pause(&self) -> Duration {
        Duration::ZERO
    }

    fn moments(&self, limit: usize) -> Result<Vec<Moment>, Unavailable> {
        match &*self.0.failure.lock().unwrap() {
            Some(why) => Err(Unavailable(why.clone())),
            None => Ok(self.0.entries.lock().unwrap().iter().take(limit).map(|(moment, _)| moment.clone()).collect()),
        }
    }

    fn files(&self, commit: &CommitId) -> Result<Files, Unavailable> {
        self.0.reads.fetch_add(1, Ordering::SeqCst);
        let entries = self.0.entries.lock().unwrap();
        let found = entries.iter().find(|(moment, _)| moment.commit == *commit);
        found.map(|(_, files)| files.clone()).ok_or_else(|| Unavailable(format!("there is no entry {commit}")))
    }
}
