//! Comments are written, changed and removed.

use super::super::instance::{EventKind, Instance};
use super::super::state::{CommentRecord, Role};
use super::refusal::Refusal;

impl Instance {
    /// Writes a comment.
    ///
    /// # Errors
    /// If the pull request does not exist.
    pub(crate) fn comment(&mut self, by: u64, number: u64, body: &str) -> Result<CommentRecord, Refusal> {
        let now = self.now;
        self.pull_mut(number)?.updated = now;
        let id = self.store.next_id();
        let comment = CommentRecord { id, pull: number, by, body: body.to_owned(), created: now, updated: now };
        self.store.comments.push(comment.clone());
        self.happened(EventKind::Commented { pull: number, comment: id }, by);
        Ok(comment)
    }

    /// Returns a comment.
    ///
    /// # Errors
    /// If it does not exist.
    pub(crate) fn comment_with(&self, id: u64) -> Result<&CommentRecord, Refusal> {
        self.store.comments.iter().find(|comment| comment.id == id).ok_or(Refusal::Missing("comment"))
    }

    /// Changes the text of a comment.
    ///
    /// # Errors
    /// If it does not exist, or the account is neither its author nor a maintainer.
    pub(crate) fn edit_comment(&mut self, by: u64, id: u64, body: &str) -> Result<CommentRecord, Refusal> {
        self.check_author(by, id)?;
        let now = self.now;
        let found = self.store.comments.iter_mut().find(|comment| comment.id == id);
        let comment = found.ok_or(Refusal::Missing("comment"))?;
        body.clone_into(&mut comment.body);
        comment.updated = now;
        Ok(comment.clone())
    }

    /// Removes a comment.
    ///
    /// # Errors
    /// Those of [`Self::edit_comment`].
    pub(crate) fn remove_comment(&mut self, by: u64, id: u64) -> Result<(), Refusal> {
        self.check_author(by, id)?;
        self.store.comments.retain(|comment| comment.id != id);
        Ok(())
    }

    fn check_author(&self, by: u64, id: u64) -> Result<(), Refusal> {
        let comment = self.comment_with(id)?;
        if comment.by == by || self.role(by) >= Role::Write { Ok(()) } else { Err(Refusal::Forbidden) }
    }
}
