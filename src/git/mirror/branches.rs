//! The local branches of a mirror: commits on them, and their moves.

use crate::history::shallow::ShallowHistory;
use crate::store::{commit, refs};
use crate::{Error, Mirror, NewCommit, Signer, id};
use tidegate_model::revision::CommitId;

impl Mirror {
    /// Signs every commit that this mirror writes.
    pub fn with_signer(mut self, signer: Signer) -> Self {
        self.signer = Some(signer);
        self
    }

    /// Writes a commit and moves its local branch to it. Blocks.
    ///
    /// Returns the parent, and writes nothing, if no file would change.
    ///
    /// # Errors
    /// [`Error::Moved`] if the branch is not at the parent: `reset_local` moves it there. [`Error::Path`] for a path
    /// that cannot be checked out safely. [`Error::Signing`] if the signer fails. The branch did not move.
    pub fn commit(&self, new: &NewCommit) -> Result<CommitId, Error> {
        commit::write(&self.repository(), new, self.signer.as_ref())
    }

    /// Returns the tip of a local branch; `None` if it does not exist. Blocks.
    pub fn local(&self, branch: &str) -> Result<Option<CommitId>, Error> {
        Ok(refs::peeled(&self.repository(), &id::branch(branch)?)?.map(id::commit_id))
    }

    /// Returns `true` if the mirror has the history of a commit down to its first commits, so that it can be pushed to a remote without any of
    /// them. Blocks.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks the commit.
    pub fn has_whole_history(&self, tip: &CommitId) -> Result<bool, Error> {
        let repository = self.repository();
        let tip = id::existing_commit(&repository, tip)?;
        let is_whole = ShallowHistory::of(&repository).and_then(|history| history.is_whole(tip));
        is_whole.map_err(Error::local("read the history of a commit"))
    }

    /// Removes a local branch, if it exists. Blocks.
    ///
    /// # Errors
    /// [`Error`] if the mirror cannot be written.
    pub fn remove_local(&self, branch: &str) -> Result<(), Error> {
        let name = id::branch(branch)?;
        refs::remove(&self.repository(), std::iter::once(name)).map_err(Error::local("remove a branch"))
    }

    /// Moves a local branch from an expected commit to any other commit. Blocks.
    ///
    /// # Errors
    /// [`Error::Moved`] if the branch is not at the expected commit, [`Error::UnknownCommit`] if the mirror lacks the
    /// new commit. The branch did not move.
    pub fn reset_local(&self, branch: &str, expect: Option<&CommitId>, to: &CommitId) -> Result<(), Error> {
        let repository = self.repository();
        let to = id::existing_commit(&repository, to)?;
        refs::move_branch(&repository, branch, expect, to)
    }
}
