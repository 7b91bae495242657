//! Which commit wrote a line.

use std::iter;
use std::ops::Range;
use std::path::Path;

use gix::bstr::ByteSlice as _;

use super::{Archive, CommitInfo, Error, id};
use tidegate_model::revision::CommitId;

/// The commits that wrote the lines of a file, as far as they are in the commit that is checked out.
pub struct Blame {
    /// The commits of ranges of committed lines, which count from 0.
    ranges: Vec<(Range<u32>, CommitId)>,
    shift: Shift,
}

/// Which committed line a present one is: the first lines up to the first difference are the same, and the last lines from the last
/// difference on.
#[derive(Default)]
struct Shift {
    /// How many lines are the same at the beginning.
    first: usize,
    /// How many of those behind them are the same at the end.
    last: usize,
    /// How many lines there are.
    present: usize,
    /// How many lines were committed.
    committed: usize,
}

impl Shift {
    fn between(committed: &[u8], present: &[u8]) -> Self {
        let committed: Vec<&[u8]> = committed.lines().collect();
        let present: Vec<&[u8]> = present.lines().collect();
        let is_same = |(one, other): &(&&[u8], &&[u8])| one == other;
        let first = iter::zip(&committed, &present).take_while(is_same).count();
        let behind = committed.len().min(present.len()) - first;
        let last = iter::zip(committed.iter().rev(), present.iter().rev()).take(behind).take_while(is_same).count();
        Self { first, last, present: present.len(), committed: committed.len() }
    }

    fn committed(&self, present: usize) -> Option<usize> {
        if present < self.first {
            return Some(present);
        }
        let from_end = self.present.checked_sub(present)?;
        if from_end <= self.last { self.committed.checked_sub(from_end) } else { None }
    }
}

impl Blame {
    /// Returns the commit that wrote a line; `None` if it is not committed as it stands. Lines count from 1.
    pub fn of_line(&self, line: u32) -> Option<&CommitId> {
        let committed = self.shift.committed(line.checked_sub(1)? as usize)?;
        let holds = |range: &Range<u32>| u32::try_from(committed).is_ok_and(|line| range.contains(&line));
        self.ranges.iter().find(|(range, _)| holds(range)).map(|(_, commit)| commit)
    }
}

impl Archive {
    /// Tells which commits wrote the lines of a file, which holds this text at present; `None` if that cannot be told: it lies outside
    /// of the work tree, or the history that wrote it is not here. Blocks.
    pub fn blame(&self, file: &Path, present: &[u8]) -> Option<Blame> {
        let repository = self.repository();
        let root = repository.workdir()?.canonicalize().ok()?;
        let path = file.strip_prefix(root).ok()?;
        let is_committed = |head: &gix::Commit<'_>| {
            let found = head.tree().map(|tree| tree.lookup_entry_by_path(path));
            matches!(found, Ok(Ok(Some(_))))
        };
        let Some(head) = repository.head_commit().ok().filter(is_committed) else {
            return Some(Blame { ranges: Vec::new(), shift: Shift::default() });
        };
        let outcome = repository.blame_file(path.to_str()?.into(), head.id, Default::default()).ok()?;
        let range = |entry: &gix::blame::BlameEntry| {
            let start = entry.start_in_blamed_file;
            (start..start.saturating_add(entry.len.get()), id::commit_id(entry.commit_id))
        };
        let shift = Shift::between(&outcome.blob, present);
        Some(Blame { ranges: outcome.entries.iter().map(range).collect(), shift })
    }

    /// Returns what is known about a commit. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if it is not there.
    pub fn commit_info(&self, commit: &CommitId) -> Result<CommitInfo, Error> {
        super::log::info_of(&self.repository(), commit)
    }
}
