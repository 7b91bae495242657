//! What a clone of the repository shows.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_consent::{Authors, Basis, Fact, Operator};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// A revision of the repository.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// Its rules, and what they select by.
    pub basis: Arc<Basis>,
    /// The digests of its add-ons.
    pub digests: BTreeMap<UnitName, Digest>,
    /// Whether it has no errors. Of a revision with errors, parts of an earlier one stay in force.
    pub is_sound: bool,
}

/// An approval in Git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The approval. Whether it was withdrawn depends on the time.
    pub fact: Fact,
    /// When it was withdrawn.
    pub withdrawn: Option<Timestamp>,
}

/// What a clone of the repository shows. A method returns `None` for what the clone does not have.
pub trait Evidence {
    /// Returns a revision.
    fn revision(&mut self, commit: &CommitId) -> Option<Arc<Revision>>;

    /// Returns `true` if the first commit is the second one, or an ancestor of it.
    fn is_ancestor(&mut self, ancestor: &CommitId, descendant: &CommitId) -> Option<bool>;

    /// Returns `true` if a commit is in the history of the followed branch.
    fn is_followed(&mut self, commit: &CommitId) -> Option<bool>;

    /// Returns who made the commits from one revision to another.
    fn authors(&mut self, base: Option<&CommitId>, commit: &CommitId) -> Authors;

    /// Returns all approvals in the files of the followed branch and its history.
    fn given(&mut self) -> Option<Arc<Vec<Given>>>;

    /// Returns what the daemon's file says about rules; `None` if the file was not given.
    fn operator(&self) -> Option<&Operator>;

    /// Returns `true` if it is known which keys are trusted. Otherwise, the journal is believed about who signed an approval.
    fn has_keys(&self) -> bool;
}
