//! Which commits lead to which, and what lies between them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::commit::Commit;
use super::objects::{Entry, Objects};
use super::program::GitError;

/// The mode of a directory.
const DIRECTORY: &str = "40000";

/// A file that differs between two commits.
#[derive(Debug, Clone)]
pub(crate) struct ChangedFile {
    /// `A`, `M` or `D`.
    pub(crate) change: String,
    pub(crate) path: String,
}

impl Objects {
    /// Returns a commit that must exist.
    ///
    /// # Errors
    /// If it does not exist.
    pub(super) fn known(&self, name: &str) -> Result<Arc<Commit>, GitError> {
        let unknown = || GitError::Failed {
            arguments: "cat-file --batch".to_owned(),
            message: format!("the commit {name} does not exist"),
        };
        self.commit(name)?.ok_or_else(unknown)
    }

    /// Returns a commit and its ancestors, by their ids.
    ///
    /// # Errors
    /// If git fails.
    pub(super) fn ancestors(&self, tip: &str) -> Result<HashMap<String, Arc<Commit>>, GitError> {
        let (mut found, mut open) = (HashMap::new(), vec![tip.to_owned()]);
        while let Some(id) = open.pop() {
            if found.contains_key(&id) {
                continue;
            }
            // The histories of shallow repositories end somewhere.
            let Some(commit) = self.commit(&id)? else { continue };
            open.extend(commit.parents.iter().cloned());
            found.insert(id, commit);
        }
        Ok(found)
    }

    /// Returns `true` if a commit is another commit or one of its ancestors.
    ///
    /// # Errors
    /// If git fails.
    pub(super) fn is_ancestor(&self, old: &str, new: &str) -> Result<bool, GitError> {
        let (mut seen, mut open) = (HashSet::new(), vec![new.to_owned()]);
        while let Some(id) = open.pop() {
            let Some(commit) = self.commit(&id)? else { continue };
            if id == old {
                return Ok(true);
            }
            if seen.insert(id) {
                open.extend(commit.parents.iter().cloned());
            }
        }
        Ok(false)
    }

    /// Returns the newest common ancestor that no other common ancestor follows.
    ///
    /// # Errors
    /// If git fails.
    pub(super) fn merge_base(&self, one: &str, other: &str) -> Result<Option<Arc<Commit>>, GitError> {
        let theirs = self.ancestors(other)?;
        let mut common = self.ancestors(one)?;
        common.retain(|id, _| theirs.contains_key(id));
        let followed: HashSet<&String> = common.values().flat_map(|commit| &commit.parents).collect();
        let best = common.iter().filter(|(id, _)| !followed.contains(id)).map(|(_, commit)| commit);
        Ok(best.max_by_key(|commit| (commit.committer.at, commit.sha.clone())).cloned())
    }

    /// Returns the commits of `head` that are not in `base`, parents first.
    ///
    /// # Errors
    /// If git fails, or one of the two does not exist.
    pub(super) fn between(&self, base: &str, head: &str) -> Result<Vec<Arc<Commit>>, GitError> {
        self.known(base)?;
        let mut done: HashSet<String> = self.ancestors(base)?.into_keys().collect();
        let (mut ordered, mut open) = (Vec::new(), vec![(self.known(head)?, false)]);
        while let Some((commit, are_parents_done)) = open.pop() {
            if are_parents_done {
                ordered.push(commit);
            } else if done.insert(commit.sha.clone()) {
                let parents = commit.parents.clone();
                open.push((commit, true));
                for parent in parents.iter().rev() {
                    open.extend(self.commit(parent)?.map(|parent| (parent, false)));
                }
            }
        }
        Ok(ordered)
    }

    /// Returns the files that differ between two trees, by their paths.
    ///
    /// # Errors
    /// If git fails.
    pub(super) fn changed(&self, old: &str, new: &str) -> Result<Vec<ChangedFile>, GitError> {
        let mut found = BTreeMap::new();
        let mut open = vec![(String::new(), Some(old.to_owned()), Some(new.to_owned()))];
        while let Some((folder, old, new)) = open.pop() {
            let read = |id: Option<String>| id.map_or_else(|| Ok(BTreeMap::new()), |id| self.tree(&id));
            let (old, new) = (read(old)?, read(new)?);
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for name in names.into_iter().filter(|name| old.get(*name) != new.get(*name)) {
                let path = format!("{folder}{name}");
                let directory = |entry: Option<&Entry>| entry.filter(|entry| entry.mode == DIRECTORY).cloned();
                let file = |entry: Option<&Entry>| entry.filter(|entry| entry.mode != DIRECTORY).cloned();
                let (before, after) = (old.get(name), new.get(name));
                match (file(before), file(after)) {
                    (None, None) => {}
                    (None, Some(_)) => drop(found.insert(path.clone(), "A")),
                    (Some(_), None) => drop(found.insert(path.clone(), "D")),
                    (Some(_), Some(_)) => drop(found.insert(path.clone(), "M")),
                }
                let (before, after) = (directory(before), directory(after));
                if before.is_some() || after.is_some() {
                    open.push((format!("{path}/"), before.map(|entry| entry.id), after.map(|entry| entry.id)));
                }
            }
        }
        Ok(found.into_iter().map(|(path, change)| ChangedFile { change: change.to_owned(), path }).collect())
    }
}
