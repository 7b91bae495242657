//! Lists the paths that differ between two commits, without reading files.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::tree::EntryMode;

use super::read::root_tree;
use super::walk::DEPTH;
use crate::{Error, Limits};
use tidegate_model::revision::CommitId;

/// A tree entry: its mode and object id.
type Entry = (EntryMode, ObjectId);

/// Returns the paths that differ between two commits of a repository.
pub(crate) fn changed_paths(
    repository: &gix::Repository,
    limits: Limits,
    old: Option<&CommitId>,
    new: &CommitId,
) -> Result<BTreeSet<String>, Error> {
    let old = old.map(|old| root_tree(repository, old)).transpose()?.map(|tree| tree.id);
    let new = Some(root_tree(repository, new)?.id);
    let mut changed = BTreeSet::new();
    let mut waiting = vec![(String::new(), old, new, 0)];
    let (mut visited, limit) = (0, limits.entries);
    while let Some((folder, old, new, depth)) = waiting.pop() {
        if old == new {
            continue;
        }
        let failed = Error::local("compare two commits");
        let (old, new) = (entries(repository, old).map_err(&failed)?, entries(repository, new).map_err(&failed)?);
        visited += old.len() + new.len();
        if visited > limit {
            return Err(Error::TooMany { limit });
        }
        for (name, old, new) in differing(old, new) {
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let tree = |entry: Option<Entry>| entry.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id);
            let below = tree(old).is_some() || tree(new).is_some();
            if depth >= DEPTH || [old, new].into_iter().flatten().any(|(mode, _)| !mode.is_tree()) {
                changed.insert(path.clone());
            }
            if below && depth < DEPTH {
                waiting.push((path, tree(old), tree(new), depth + 1));
            }
        }
    }
    Ok(changed)
}

/// Returns the entries that differ between two directories.
fn differing(
    old: BTreeMap<String, Entry>,
    mut new: BTreeMap<String, Entry>,
) -> Vec<(String, Option<Entry>, Option<Entry>)> {
    let mut differing = Vec::new();
    for (name, entry) in old {
        let other = new.remove(&name);
        if other != Some(entry) {
            differing.push((name, Some(entry), other));
        }
    }
    differing.extend(new.into_iter().map(|(name, entry)| (name, None, Some(entry))));
    differing
}

fn entries(repository: &gix::Repository, tree: Option<ObjectId>) -> gix::Result<BTreeMap<String, Entry>> {
    let Some(tree) = tree else { return Ok(BTreeMap::new()) };
    let entries = super::entries::entries(repository, tree)?.into_iter();
    Ok(entries.map(|entry| (entry.name.to_str_lossy().into_owned(), (entry.mode, entry.id))).collect())
}
