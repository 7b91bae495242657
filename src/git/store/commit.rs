//! Writes commits: blobs, a tree based on the parent's, the commit object, and the branch update.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::actor::Signature;
use gix::objs::WriteTo;
use gix::objs::tree::EntryKind;

use super::refs;
use crate::{Error, id};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// A commit to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCommit {
    /// The local branch to move to it.
    pub branch: String,
    /// The parent, which must be the current tip of the branch; `None` if the branch must not exist.
    pub parent: Option<CommitId>,
    /// The changed files, by path: the new content, or `None` to remove the file. All others are as in the parent.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
    /// The message.
    pub message: String,
    /// The name of the author, who is also the committer.
    pub author: String,
    /// The e-mail address of the author.
    pub email: String,
    /// The time of the commit, stored in whole seconds.
    pub at: Timestamp,
}

/// Signs a commit: receives the bytes to sign, and returns the armored signature or the reason for the failure.
pub type Signer = Box<dyn Fn(&[u8]) -> Result<String, String> + Send + Sync>;

/// Writes a commit into any repository.
pub(crate) fn write(repository: &gix::Repository, new: &NewCommit, signer: Option<&Signer>) -> Result<CommitId, Error> {
    let base = parent_and_tree(repository, new.parent.as_ref())?;
    let tree = write_tree(repository, base.as_ref().map(|(_, tree)| *tree), &new.files)?;
    let commit = match base {
        Some((parent, unchanged)) if unchanged == tree => parent,
        base => {
            let commit = commit_object(new, base.map(|(parent, _)| parent), tree);
            let commit = signer.map_or_else(|| Ok(commit.clone()), |signer| sign(&commit, signer))?;
            repository.write_object(&commit).map_err(Error::local("write a commit"))?.detach()
        }
    };
    refs::move_branch(repository, &new.branch, new.parent.as_ref(), commit)?;
    Ok(id::commit_id(commit))
}

/// Returns the parent and its tree.
fn parent_and_tree(
    repository: &gix::Repository,
    parent: Option<&CommitId>,
) -> Result<Option<(ObjectId, ObjectId)>, Error> {
    let Some(parent) = parent else { return Ok(None) };
    let id = id::existing_commit(repository, parent)?;
    let tree = repository.find_commit(id).and_then(|commit| Ok(commit.tree_id()?.detach()));
    tree.map(|tree| Some((id, tree))).map_err(Error::local("read the parent of a commit"))
}

fn write_tree(
    repository: &gix::Repository,
    base: Option<ObjectId>,
    files: &BTreeMap<String, Option<Vec<u8>>>,
) -> Result<ObjectId, Error> {
    if let Some(path) = files.keys().find(|path| !is_safe(path)) {
        return Err(Error::Path { path: path.clone() });
    }
    let edited = || {
        let base = base.map_or_else(|| Ok(repository.empty_tree()), |base| repository.find_tree(base))?;
        let mut editor = base.edit()?;
        for (path, content) in files {
            match content {
                Some(content) => editor.upsert(path, EntryKind::Blob, repository.write_blob(content)?)?,
                None => editor.remove(path)?,
            };
        }
        Ok(editor.write()?.detach())
    };
    edited().map_err(Error::local("write the tree of a commit"))
}

/// Returns `true` if a path stays inside any directory that it is checked out into, on any system.
fn is_safe(path: &str) -> bool {
    path.split('/').all(|part| {
        gix::validate::path::component(part.into(), None, gix::validate::path::component::Options::default()).is_ok()
    })
}

/// Signs a commit. The signature covers the commit without its `gpgsig` header, and then becomes that header.
///
/// # Source
/// Git's `gitformat-signature`, section "Commit Signatures".
fn sign(commit: &gix::objs::Commit, signer: &Signer) -> Result<gix::objs::Commit, Error> {
    let mut payload = Vec::new();
    commit.write_to(&mut payload).map_err(|error| Error::Signing { why: error.to_string() })?;
    let signature = signer(&payload).map_err(|why| Error::Signing { why })?;
    let signature = signature.replace("\r\n", "\n").trim().to_owned();
    if signature.is_empty() {
        return Err(Error::Signing { why: "the signature is empty".to_owned() });
    }
    let mut signed = commit.clone();
    signed.extra_headers.push(("gpgsig".into(), signature.into()));
    Ok(signed)
}

fn commit_object(new: &NewCommit, parent: Option<ObjectId>, tree: ObjectId) -> gix::objs::Commit {
    // Angle brackets, line endings and NUL delimit the fields of a signature.
    let clean = |text: &str| text.replace(|c: char| matches!(c, '<' | '>') || c.is_control(), " ").trim().to_owned();
    let signature = Signature {
        name: clean(&new.author).into(),
        email: clean(&new.email).into(),
        time: gix::date::Time { seconds: new.at.as_second(), offset: 0 },
    };
    gix::objs::Commit {
        tree,
        parents: parent.into_iter().collect(),
        author: signature.clone(),
        committer: signature,
        encoding: None,
        message: format!("{}\n", new.message.replace('\0', " ").trim_end()).into(),
        extra_headers: Vec::new(),
    }
}
