//! Which commit wrote a line.

use std::path::Path;

use gix::bstr::ByteSlice as _;

use super::{Archive, CommitInfo, Error, id};
use crate::model::revision::CommitId;

impl Archive {
    /// Returns the commit that wrote a line of a file, as far as it is in the commit that is checked out; `None` if it is not in there
    /// as it stands now, or if the file lies outside of the work tree. Lines count from 1. Blocks.
    ///
    /// # Errors
    /// [`Error::Repository`] if the history of the file cannot be read.
    pub fn blame(&self, file: &Path, line: u32, text: &str) -> Result<Option<(CommitId, CommitInfo)>, Error> {
        let repository = self.repository();
        let failed = Error::local("tell which commit wrote a line");
        let inside =
            repository.workdir().and_then(|root| file.strip_prefix(root.canonicalize().ok()?).ok().map(Path::to_owned));
        let (Some(path), Ok(head)) = (inside, repository.head_id()) else { return Ok(None) };
        let Some(path) = path.to_str() else { return Ok(None) };
        let outcome = match repository.blame_file(path.into(), head.detach(), Default::default()) {
            Ok(outcome) => outcome,
            // A file that was never committed has no history.
            Err(_) => return Ok(None),
        };
        let index = line.saturating_sub(1);
        let is_same = outcome.blob.lines().nth(index as usize) == Some(text.as_bytes());
        let covers = |entry: &&gix::blame::BlameEntry| {
            let start = entry.start_in_blamed_file;
            (start..start.saturating_add(entry.len.get())).contains(&index)
        };
        let Some(entry) = outcome.entries.iter().find(covers).filter(|_| is_same) else { return Ok(None) };
        let commit = repository.find_commit(entry.commit_id).map_err(&failed)?;
        let info = super::log::info(&commit).map_err(&failed)?;
        Ok(Some((id::commit_id(entry.commit_id), info)))
    }
}
