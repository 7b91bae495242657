//! Commits in a row, with what each of them changed: what an audit walks along.

use super::revision::CommitId;
use super::time::Timestamp;

/// Who wrote or made a commit or a tag, and when, as it says itself; only a signature proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
    /// The time.
    pub time: Timestamp,
}

/// What is signed of a commit or a tag, and the signature. Nobody has checked it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The bytes that were signed: all of it but the signature.
    pub payload: Vec<u8>,
    /// The armoured signature, of OpenPGP, SSH or X.509.
    pub signature: String,
}

/// One commit of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The commit.
    pub id: CommitId,
    /// Its parents, also those that a shallow clone has not got.
    pub parents: Vec<CommitId>,
    /// Whether the commit before it is not at hand, though there is one: its changes are all files that there are.
    pub is_cut: bool,
    /// Who wrote it.
    pub author: Person,
    /// Who made it.
    pub committer: Person,
    /// The whole message.
    pub message: String,
    /// Its signature, if it has one.
    pub signed: Option<Signed>,
    /// What it changed against the link before, sorted by path.
    pub changes: Vec<FileChange>,
    /// Parents whose changes of the files the commit left out, as a merge may that takes one side.
    pub dropped: Vec<CommitId>,
}

/// One file that a commit changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The path, below the directory that the chain is about.
    pub path: String,
    /// What was there before, where it was asked for.
    pub before: Option<Vec<u8>>,
    /// What is there after.
    pub after: Content,
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Gone,
    /// A regular file.
    File(Vec<u8>),
    /// Something that is not read, and why.
    Unread(String),
}
