//! Decodes the tree of one directory, which is untrusted input.
//!
//! A name that a tree contains twice means one object to some readers and another one to others. Git never writes such a tree, and servers
//! that check what is pushed refuse it.

use std::collections::HashSet;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice as _};
use gix::objs::tree::EntryMode;

/// An entry of a tree.
#[derive(Debug)]
pub(crate) struct TreeEntry {
    pub(crate) name: BString,
    pub(crate) mode: EntryMode,
    pub(crate) id: ObjectId,
}

/// A tree that contains a name twice.
#[derive(Debug, thiserror::Error)]
#[error("the tree {tree} contains {name:?} twice")]
pub(crate) struct DuplicateEntry {
    pub(crate) tree: String,
    pub(crate) name: String,
}

/// Returns the entries of a tree.
///
/// # Errors
/// [`DuplicateEntry`] in the error of `gix`, if a name is there twice.
pub(crate) fn entries(repository: &gix::Repository, tree: ObjectId) -> gix::Result<Vec<TreeEntry>> {
    let object = repository.find_tree(tree)?;
    let entries = object.decode()?.entries;
    let mut names = HashSet::with_capacity(entries.len());
    if let Some(twice) = entries.iter().find(|entry| !names.insert(entry.filename)) {
        let name = twice.filename.to_str_lossy().into_owned();
        return Err(gix::Error::from_error(DuplicateEntry { tree: tree.to_string(), name }));
    }
    let entry = |entry: &gix::objs::tree::EntryRef<'_>| TreeEntry {
        name: entry.filename.to_owned(),
        mode: entry.mode,
        id: entry.oid.to_owned(),
    };
    Ok(entries.iter().map(entry).collect())
}

/// Returns the entry at a path below a tree; `None` if there is none, or the path is empty.
///
/// # Errors
/// As [`entries`], for the trees on the way.
pub(crate) fn lookup<'p>(
    repository: &gix::Repository,
    tree: ObjectId,
    path: impl IntoIterator<Item = &'p str>,
) -> gix::Result<Option<(EntryMode, ObjectId)>> {
    let (mut directory, mut found) = (Some(tree), None);
    for name in path {
        let Some(tree) = directory else { return Ok(None) };
        let entry = entries(repository, tree)?.into_iter().find(|entry| entry.name == name);
        found = entry.map(|entry| (entry.mode, entry.id));
        directory = found.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id);
        if found.is_none() {
            return Ok(None);
        }
    }
    Ok(found)
}
