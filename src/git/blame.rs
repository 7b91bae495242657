//! Which commit wrote a line.

use std::ops::Range;
use std::path::Path;

use gix::bstr::ByteSlice as _;

use super::{Archive, CommitInfo, Error, id};
use crate::model::revision::CommitId;

/// The commits that wrote the lines of a file, as far as it is in the commit that is checked out.
pub struct Blame {
    /// What was committed.
    text: Vec<u8>,
    /// The commits of ranges of lines, which count from 0.
    ranges: Vec<(Range<u32>, CommitId)>,
}

impl Blame {
    /// Returns the commit that wrote a line, if the line stands in there as it stands now. Lines count from 1.
    pub fn of_line(&self, line: u32, text: &str) -> Option<&CommitId> {
        let index = line.checked_sub(1)?;
        let is_same = self.text.lines().nth(index as usize) == Some(text.as_bytes());
        let (_, commit) = self.ranges.iter().find(|(range, _)| is_same && range.contains(&index))?;
        Some(commit)
    }
}

impl Archive {
    /// Tells which commits wrote the lines of a file; `None` if it was never committed, or lies outside of the work tree. Blocks.
    pub fn blame(&self, file: &Path) -> Option<Blame> {
        let repository = self.repository();
        let root = repository.workdir()?.canonicalize().ok()?;
        let path = file.strip_prefix(root).ok()?.to_str()?;
        let head = repository.head_id().ok()?.detach();
        let outcome = repository.blame_file(path.into(), head, Default::default()).ok()?;
        let range = |entry: &gix::blame::BlameEntry| {
            let start = entry.start_in_blamed_file;
            (start..start.saturating_add(entry.len.get()), id::commit_id(entry.commit_id))
        };
        Some(Blame { ranges: outcome.entries.iter().map(range).collect(), text: outcome.blob })
    }

    /// Returns what is known about a commit. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if it is not there.
    pub fn commit_info(&self, commit: &CommitId) -> Result<CommitInfo, Error> {
        super::log::info_of(&self.repository(), commit)
    }
}
