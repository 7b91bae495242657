//! Lists how the files of one directory changed in a history, along all parents of every commit.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::tree::EntryMode;

use super::chain::content;
use crate::tree::entries::{entries, lookup};
use crate::{Error, id};
use tidegate_model::chain::{Content, FileVersion};
use tidegate_model::revision::CommitId;

/// Deeper directories are not read.
const MAX_DEPTH: usize = 8;
/// Maximum number of files and directories in the directory.
const MAX_FILES: usize = 100_000;
/// Size of the object cache in bytes. A walk reads the same trees again and again.
const CACHE: usize = 64 << 20;

/// How the files of a directory changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryHistory {
    /// The versions of the files, newest commit first.
    pub versions: Vec<FileVersion>,
    /// Whether every commit was visited, and has all of its parents.
    pub is_complete: bool,
}

type Files = BTreeMap<String, (EntryMode, ObjectId)>;

/// Lists the versions of files below a directory in the history of `new` that is not the history of `old`. At most `limit` commits
/// are visited, the newest first.
pub(crate) fn history(
    repository: &mut gix::Repository,
    directory: &str,
    old: Option<&CommitId>,
    new: &CommitId,
    limit: usize,
) -> Result<DirectoryHistory, Error> {
    repository.object_cache_size(CACHE);
    let repository = &*repository;
    let new = id::existing_commit(repository, new)?;
    let old = old.map(|old| id::existing_commit(repository, old)).transpose()?;
    let newest_first = gix::revision::walk::Sorting::ByCommitTime(Default::default());
    let walk = repository.rev_walk([new]).sorting(newest_first).with_hidden(old);
    let mut trees = Trees { repository, directory, known: HashMap::new() };
    let mut found = DirectoryHistory { versions: Vec::new(), is_complete: true };
    let visit = || -> gix::Result<()> {
        for (at, commit) in walk.all()?.enumerate() {
            if at >= limit {
                found.is_complete = false;
                break;
            }
            let commit = commit?.id;
            let (mut parents, mut is_cut) = (Vec::new(), false);
            for parent in repository.find_commit(commit)?.parent_ids().map(gix::Id::detach) {
                match repository.try_find_header(parent)? {
                    Some(_) => parents.push(trees.of(parent)?),
                    None => is_cut = true,
                }
            }
            found.is_complete &= !is_cut;
            let own = trees.of(commit)?;
            if is_cut || parents.is_empty() || parents.iter().any(|parent| *parent != own) {
                found.versions.extend(versions(repository, directory, commit, own, &parents, is_cut)?);
            }
        }
        Ok(())
    };
    visit().map_err(Error::local("read the history of a directory"))?;
    Ok(found)
}

/// The directory in each commit. A commit is usually looked at twice: as a parent and as itself.
struct Trees<'a> {
    repository: &'a gix::Repository,
    directory: &'a str,
    known: HashMap<ObjectId, Option<(EntryMode, ObjectId)>>,
}

impl Trees<'_> {
    fn of(&mut self, commit: ObjectId) -> gix::Result<Option<(EntryMode, ObjectId)>> {
        if let Some(known) = self.known.get(&commit) {
            return Ok(*known);
        }
        let root = self.repository.find_commit(commit)?.tree_id()?.detach();
        let found = lookup(self.repository, root, self.directory.split('/'))?;
        self.known.insert(commit, found);
        Ok(found)
    }
}

fn versions(
    repository: &gix::Repository,
    directory: &str,
    commit: ObjectId,
    own: Option<(EntryMode, ObjectId)>,
    parents: &[Option<(EntryMode, ObjectId)>],
    is_cut: bool,
) -> gix::Result<Vec<FileVersion>> {
    let own = files(repository, directory, own)?;
    let parents =
        parents.iter().map(|parent| files(repository, directory, *parent)).collect::<gix::Result<Vec<_>>>()?;
    let paths: BTreeSet<&String> = own.keys().chain(parents.iter().flat_map(BTreeMap::keys)).collect();
    let differs =
        |path: &&String| parents.is_empty() || parents.iter().any(|parent| parent.get(*path) != own.get(*path));
    let read = |files: &Files, path: &str| match files.get(path) {
        Some(entry) => content(repository, *entry),
        None => Ok(Content::Gone),
    };
    let version = |path: &String| {
        Ok(FileVersion {
            commit: id::commit_id(commit),
            path: path.clone(),
            after: read(&own, path)?,
            before: parents.iter().map(|parent| read(parent, path)).collect::<gix::Result<_>>()?,
            is_cut,
        })
    };
    paths.into_iter().filter(differs).map(version).collect()
}

/// Returns everything below a directory that is not a directory itself. A path that is too deep is left out.
fn files(repository: &gix::Repository, path: &str, top: Option<(EntryMode, ObjectId)>) -> gix::Result<Files> {
    let mut found = Files::new();
    let mut waiting: Vec<(String, (EntryMode, ObjectId))> =
        top.map(|entry| (path.to_owned(), entry)).into_iter().collect();
    let mut visited = 0;
    while let Some((path, (mode, object))) = waiting.pop() {
        // A tree may contain the same directory many times, so directories count as well.
        visited += 1;
        if visited > MAX_FILES {
            break;
        }
        if !mode.is_tree() {
            found.insert(path, (mode, object));
            continue;
        }
        if path.matches('/').count() > MAX_DEPTH {
            continue;
        }
        for entry in entries(repository, object)? {
            waiting.push((format!("{path}/{}", entry.name.to_str_lossy()), (entry.mode, entry.id)));
        }
    }
    Ok(found)
}
