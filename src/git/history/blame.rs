//! Finds the commit that wrote a line.

use std::iter;
use std::ops::Range;
use std::path::Path;

use gix::bstr::ByteSlice as _;

use crate::id;
use tidegate_model::revision::CommitId;

/// The commits that wrote the lines of a file, as far as the lines are in the checked-out commit.
pub struct Blame {
    /// Ranges of committed lines, counted from 0, with their commits.
    ranges: Vec<(Range<u32>, CommitId)>,
    line_map: LineMap,
}

/// Maps lines of the current file to committed lines. The lines before the first difference and those after the last difference are
/// the same in both.
#[derive(Default)]
struct LineMap {
    /// Number of lines that are the same at the start.
    first: usize,
    /// Number of the remaining lines that are the same at the end.
    last: usize,
    /// Number of lines in the current file.
    current: usize,
    /// Number of committed lines.
    committed: usize,
}

impl LineMap {
    fn between(committed: &[u8], current: &[u8]) -> Self {
        let committed: Vec<&[u8]> = committed.lines().collect();
        let current: Vec<&[u8]> = current.lines().collect();
        let is_same = |(one, other): &(&&[u8], &&[u8])| one == other;
        let first = iter::zip(&committed, &current).take_while(is_same).count();
        let remaining = committed.len().min(current.len()) - first;
        let last = iter::zip(committed.iter().rev(), current.iter().rev()).take(remaining).take_while(is_same).count();
        Self { first, last, current: current.len(), committed: committed.len() }
    }

    fn committed(&self, current: usize) -> Option<usize> {
        if current < self.first {
            return Some(current);
        }
        let from_end = self.current.checked_sub(current)?;
        if from_end <= self.last { self.committed.checked_sub(from_end) } else { None }
    }
}

impl Blame {
    /// Returns the commit that wrote a line; `None` if the line has uncommitted changes. Lines count from 1.
    pub fn of_line(&self, line: u32) -> Option<&CommitId> {
        let committed = self.line_map.committed(line.checked_sub(1)? as usize)?;
        let holds = |range: &Range<u32>| u32::try_from(committed).is_ok_and(|line| range.contains(&line));
        self.ranges.iter().find(|(range, _)| holds(range)).map(|(_, commit)| commit)
    }
}

/// Returns which commits wrote the lines of a file whose current content is `current`; `None` if that is unknown.
pub(crate) fn blame(repository: &gix::Repository, file: &Path, current: &[u8]) -> Option<Blame> {
    let root = repository.workdir()?.canonicalize().ok()?;
    let path = file.strip_prefix(root).ok()?;
    let is_committed = |head: &gix::Commit<'_>| {
        let found = head.tree().map(|tree| tree.lookup_entry_by_path(path));
        matches!(found, Ok(Ok(Some(_))))
    };
    let Some(head) = repository.head_commit().ok().filter(is_committed) else {
        return Some(Blame { ranges: Vec::new(), line_map: LineMap::default() });
    };
    let outcome = repository.blame_file(path.to_str()?.into(), head.id, Default::default()).ok()?;
    let range = |entry: &gix::blame::BlameEntry| {
        let start = entry.start_in_blamed_file;
        (start..start.saturating_add(entry.len.get()), id::commit_id(entry.commit_id))
    };
    let line_map = LineMap::between(&outcome.blob, current);
    Some(Blame { ranges: outcome.entries.iter().map(range).collect(), line_map })
}
