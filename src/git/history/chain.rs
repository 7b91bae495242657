//! Walks a branch from its first commit to its tip, with the changes that each commit made below one directory.
//!
//! Two commits are compared by the ids in their trees, so only what differs is read.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::tree::{EntryKind, EntryMode};

use super::log;
use crate::tree::entries::lookup;
use crate::{Error, Limits, id};
use tidegate_model::chain::{Content, FileChange, Link, Person};
use tidegate_model::revision::CommitId;

/// The part of a branch to walk.
#[derive(Debug, Clone, Copy)]
pub struct Chain<'a> {
    /// The last commit.
    pub tip: &'a CommitId,
    /// The directory; empty for the root. For the root every commit is visited, otherwise only commits that change the
    /// directory.
    pub directory: &'a str,
    /// Selects files whose content is wanted, by path relative to the directory. Other files have empty content.
    pub wants: fn(&str) -> bool,
    /// Selects files whose previous content is wanted too, by author of the change and path.
    pub wants_before: fn(&Person, &str) -> bool,
}

/// A commit, with the tree of the directory to walk.
struct Step {
    commit: ObjectId,
    directory: Option<ObjectId>,
    is_cut: bool,
    dropped: Vec<CommitId>,
}

/// Larger or deeper trees are not a journal, and must not exhaust the memory.
const MAX_ENTRIES: usize = 1_000_000;
const MAX_DEPTH: usize = 8;
/// Size of the object cache in bytes. A walk reads the same objects again and again as delta bases.
const CACHE: usize = 64 << 20;

/// Walks a chain, oldest commit first, until `visit` breaks.
pub(crate) fn walk(
    repository: &mut gix::Repository,
    chain: &Chain<'_>,
    visit: &mut dyn FnMut(Link) -> ControlFlow<()>,
) -> Result<(), Error> {
    repository.object_cache_size(CACHE);
    let repository = &*repository;
    let tip = id::existing_commit(repository, chain.tip)?;
    let mut walk = || -> gix::Result<()> {
        let mut before = None;
        for step in steps(repository, tip, chain.directory)?.into_iter().rev() {
            let (directory, is_cut) = (step.directory, step.is_cut);
            let mut link = link(repository, step)?;
            let between = (if is_cut { None } else { before }, directory);
            link.changes = changes(repository, chain, &link.author, between)?;
            if visit(link).is_break() {
                break;
            }
            before = directory;
        }
        Ok(())
    };
    walk().map_err(Error::local("read a history"))
}

/// Returns the commits to visit, newest first.
fn steps(repository: &gix::Repository, tip: ObjectId, directory: &str) -> gix::Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut at = (tip, subtree(repository, tip, directory)?);
    loop {
        let (commit, own) = at;
        let parents: Vec<ObjectId> = repository.find_commit(commit)?.parent_ids().map(gix::Id::detach).collect();
        let mut known = Vec::new();
        for parent in &parents {
            if repository.try_find_header(*parent)?.is_some() {
                known.push((*parent, subtree(repository, *parent, directory)?));
            }
        }
        let is_cut = known.is_empty() && !parents.is_empty();
        // At a merge, continue with the parent that the files come from.
        let next = known.iter().find(|(_, files)| *files == own).or(known.first()).copied();
        let dropped = if directory.is_empty() { Vec::new() } else { dropped(repository, directory, own, &known)? };
        let counts = directory.is_empty() || is_cut || !dropped.is_empty() || own != next.and_then(|(_, files)| files);
        if counts {
            steps.push(Step { commit, directory: own, is_cut, dropped });
        }
        match next {
            Some(next) => at = next,
            None => return Ok(steps),
        }
    }
}

/// Returns the parents of a merge whose changes to the directory are not in the result.
fn dropped(
    repository: &gix::Repository,
    directory: &str,
    own: Option<ObjectId>,
    parents: &[(ObjectId, Option<ObjectId>)],
) -> gix::Result<Vec<CommitId>> {
    let mut dropped = Vec::new();
    let Some((kept, _)) = parents.iter().find(|(_, files)| *files == own) else { return Ok(dropped) };
    for (parent, files) in parents.iter().filter(|(_, files)| *files != own) {
        let base = repository.merge_base(*kept, *parent).ok().flatten().map(gix::Id::detach);
        let base = base.map(|base| subtree(repository, base, directory)).transpose()?.flatten();
        if base != *files {
            dropped.push(id::commit_id(*parent));
        }
    }
    Ok(dropped)
}

fn subtree(repository: &gix::Repository, commit: ObjectId, directory: &str) -> gix::Result<Option<ObjectId>> {
    let commit = repository.find_commit(commit)?;
    if directory.is_empty() {
        return Ok(Some(commit.tree_id()?.detach()));
    }
    let entry = lookup(repository, commit.tree_id()?.detach(), directory.split('/'))?;
    Ok(entry.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id))
}

fn link(repository: &gix::Repository, step: Step) -> gix::Result<Link> {
    let commit = repository.find_commit(step.commit)?;
    Ok(Link {
        id: id::commit_id(step.commit),
        parents: commit.parent_ids().map(id::commit_id).collect(),
        is_cut: step.is_cut,
        author: log::person(commit.author()?),
        committer: log::person(commit.committer()?),
        message: commit.message_raw()?.to_str_lossy().into_owned(),
        signed: log::signed(&commit)?,
        changes: Vec::new(),
        dropped: step.dropped,
    })
}

type Entries = BTreeMap<Vec<u8>, (EntryMode, ObjectId)>;

fn entries(repository: &gix::Repository, tree: Option<ObjectId>) -> gix::Result<Entries> {
    let Some(tree) = tree else { return Ok(Entries::new()) };
    let entries = crate::tree::entries::entries(repository, tree)?;
    Ok(entries.into_iter().map(|entry| (entry.name.into(), (entry.mode, entry.id))).collect())
}

/// Returns the differences between two directories, sorted by path.
fn changes(
    repository: &gix::Repository,
    chain: &Chain<'_>,
    author: &Person,
    (before, after): (Option<ObjectId>, Option<ObjectId>),
) -> gix::Result<Vec<FileChange>> {
    let mut found = BTreeMap::new();
    let mut seen = 0;
    let mut waiting = vec![(String::new(), before, after)];
    while let Some((prefix, before, after)) = waiting.pop() {
        let (old, new) = (entries(repository, before)?, entries(repository, after)?);
        seen += old.len() + new.len();
        let depth = prefix.matches('/').count();
        for name in old.keys().chain(new.keys().filter(|name| !old.contains_key(*name))) {
            let (old_entry, new_entry) = (old.get(name), new.get(name));
            if old_entry == new_entry {
                continue;
            }
            let path = format!("{prefix}{}", name.to_str_lossy());
            let directory = |entry: Option<&(EntryMode, ObjectId)>| entry.filter(|e| e.0.is_tree()).map(|e| e.1);
            let (old_directory, new_directory) = (directory(old_entry), directory(new_entry));
            if old_directory.is_some() || new_directory.is_some() {
                if depth >= MAX_DEPTH || seen > MAX_ENTRIES {
                    let why = "it is nested too deeply, or there are too many files".to_owned();
                    found.insert(path.clone(), FileChange { path, before: None, after: Content::Unread(why) });
                    continue;
                }
                waiting.push((format!("{path}/"), old_directory, new_directory));
            }
            let file = |entry: Option<&(EntryMode, ObjectId)>| entry.filter(|e| !e.0.is_tree()).copied();
            let (old_entry, new_entry) = (file(old_entry), file(new_entry));
            if old_entry.is_some() || new_entry.is_some() {
                let wants_before = (chain.wants_before)(author, &path);
                let before =
                    match old_entry.filter(|_| wants_before).map(|entry| content(repository, entry)).transpose()? {
                        Some(Content::File(bytes)) => Some(bytes),
                        _ => None,
                    };
                let wanted = new_entry.filter(|_| (chain.wants)(&path));
                let after = match (new_entry, wanted) {
                    (None, _) => Content::Gone,
                    (Some(_), None) => Content::File(Vec::new()),
                    (_, Some(entry)) => content(repository, entry)?,
                };
                found.insert(path.clone(), FileChange { path, before, after });
            }
        }
    }
    Ok(found.into_values().collect())
}

/// Reads a file, unless it is not a regular one or too large.
pub(super) fn content(repository: &gix::Repository, (mode, object): (EntryMode, ObjectId)) -> gix::Result<Content> {
    match mode.kind() {
        EntryKind::Link => return Ok(Content::Unread("it is a symbolic link".to_owned())),
        EntryKind::Commit => return Ok(Content::Unread("it is a submodule".to_owned())),
        EntryKind::BlobExecutable => return Ok(Content::Unread("it is an executable file".to_owned())),
        EntryKind::Tree | EntryKind::Blob => {}
    }
    // The header has the size, so the content need not be unpacked.
    let (size, limit) = (repository.find_header(object)?.size(), Limits::default().file_bytes);
    if size > limit {
        return Ok(Content::Unread(format!("it has {size} bytes, more than the limit of {limit}")));
    }
    Ok(Content::File(repository.find_blob(object)?.take_data()))
}
