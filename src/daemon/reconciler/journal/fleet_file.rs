//! When `fleet.yaml` of the journal was written last, according to the history of the branch.

use super::branch::JournalBranch;
use tidegate_journal::Journal;
use tidegate_journal::{file, fleet};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Number of commits that are searched. With one entry every ten seconds, they cover more than a quarter of an hour.
const LOOK_BACK: usize = 100;

impl JournalBranch {
    /// Reads the documents of a commit. What is known about the last write of the fleet stays.
    pub(super) fn reread(&mut self, tip: &CommitId) -> Result<(), tidegate_git::Error> {
        self.journal = Journal { fleet_at: self.journal.fleet_at, ..Journal::read(self.files(tip)?) };
        Ok(())
    }

    /// Finds out when the fleet was written last, so that restarts do not make it more frequent.
    #[must_use]
    pub fn with_fleet_time(mut self, now: Timestamp) -> Self {
        self.journal.fleet_at = self.fleet_time(now);
        self
    }

    /// Returns the time of the last commit that changed the fleet; `None` if that was long ago, or the fleet was never written. A history that
    /// cannot be read, such as that of a shallow clone, is treated as if its oldest commit had changed it.
    fn fleet_time(&self, now: Timestamp) -> Option<Timestamp> {
        let tip = self.tip.as_ref().filter(|_| self.journal.files.contains_key(file::FLEET))?;
        let since = fleet::may_change_before(now);
        let path = format!("{}{}", self.prefix, file::FLEET);
        let recent: Vec<_> = self.mirror.log(tip, LOOK_BACK).ok()?;
        let ends = recent.iter().skip(1).map(|older| Some(&older.id)).chain([None]);
        let recent = recent.iter().zip(ends).take_while(|(entry, _)| entry.author_time > since);
        let changes = |newer: &CommitId, older: Option<&CommitId>| {
            self.mirror.changed_paths(older, newer).map_or(true, |paths| paths.contains(&path))
        };
        recent.into_iter().find(|(newer, older)| changes(&newer.id, *older)).map(|(newer, _)| newer.author_time)
    }
}
