//! A chain of commits with the changes of each, as an audit follows it.

use super::revision::CommitId;
use crate::time::Timestamp;

/// The author or committer of a commit, or the tagger of a tag, as recorded in it; only a signature proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
    /// The time.
    pub time: Timestamp,
}

/// The signed part of a commit or tag, and its signature. Not verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The bytes that were signed: everything except the signature.
    pub payload: Vec<u8>,
    /// The armored signature: OpenPGP, SSH or X.509.
    pub signature: String,
}

/// One commit of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The commit.
    pub id: CommitId,
    /// Its parents, including those missing from a shallow clone.
    pub parents: Vec<CommitId>,
    /// Whether it has a predecessor that is not available: `changes` then lists all of its files.
    pub is_cut: bool,
    /// The author.
    pub author: Person,
    /// The committer.
    pub committer: Person,
    /// The whole message.
    pub message: String,
    /// The signature, if any.
    pub signed: Option<Signed>,
    /// The changes since the previous link, sorted by path.
    pub changes: Vec<FileChange>,
    /// Parents whose changes to the files the commit discarded, as a merge does that keeps only one side.
    pub dropped: Vec<CommitId>,
}

/// One file that a commit changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The path, below the directory that the chain covers.
    pub path: String,
    /// The previous content, if it was requested.
    pub before: Option<Vec<u8>>,
    /// The content after the commit.
    pub after: Content,
}

/// One file that a commit has in another way than one of its parents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileVersion {
    /// The commit.
    pub commit: CommitId,
    /// The path, relative to the root of the repository.
    pub path: String,
    /// The content after the commit.
    pub after: Content,
    /// The content in each parent that is available.
    pub before: Vec<Content>,
    /// Whether a parent is not available, as in a shallow clone. Then it is not known what the commit added.
    pub is_cut: bool,
}

/// The content at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Gone,
    /// A regular file.
    File(Vec<u8>),
    /// Something that was not read, with the reason.
    Unread(String),
}
