//! Finds the commit that wrote a line.

use std::iter;
use std::ops::Range;
use std::path::Path;

use gix::bstr::ByteSlice as _;

use super::{Archive, CommitInfo, Error, id};
use tidegate_model::revision::CommitId;

/// The commits that wrote the lines of a file, as far as the lines are in the checked-out commit.
pub struct Blame {
    /// Ranges of committed lines, counted from 0, with their commits.
    ranges: Vec<(Range<u32>, CommitId)>,
    shift: Shift,
}

/// Maps lines of the present file to committed lines. The lines before the first difference and those after the last difference are
/// the same in both.
#[derive(Default)]
struct Shift {
    /// Number of lines that are the same at the start.
    first: usize,
    /// Number of the remaining lines that are the same at the end.
    last: usize,
    /// Number of lines in the present file.
    present: usize,
    /// Number of committed lines.
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
    /// Returns the commit that wrote a line; `None` if the line has uncommitted changes. Lines count from 1.
    pub fn of_line(&self, line: u32) -> Option<&CommitId> {
        let committed = self.shift.committed(line.checked_sub(1)? as usize)?;
        let holds = |range: &Range<u32>| u32::try_from(committed).is_ok_and(|line| range.contains(&line));
        self.ranges.iter().find(|(range, _)| holds(range)).map(|(_, commit)| commit)
    }
}

impl Archive {
    /// Returns which commits wrote the lines of a file whose current content is `present`. Returns `None` if that is unknown: the
    /// file is outside the work tree, or the commits that wrote it are missing. Blocks.
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
    /// [`Error::UnknownCommit`] if the repository lacks it.
    pub fn commit_info(&self, commit: &CommitId) -> Result<CommitInfo, Error> {
        super::log::info_of(&self.repository(), commit)
    }
}
