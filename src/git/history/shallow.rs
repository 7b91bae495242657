//! The shallow boundary of a history that was not fetched completely.
//!
//! Git lists the commits whose parents are left out in a file named `shallow`. Every commit in the mirror is either in
//! that list or has all its parents. A process killed between receiving a packfile and writing the list breaks this
//! invariant, so a commit counts as present only if it satisfies it.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::io;
use std::path::Path;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::FindExt;

use crate::Error;

/// The histories that the mirror has.
pub(crate) struct ShallowHistory<'a> {
    repository: &'a gix::Repository,
    boundary: HashSet<ObjectId>,
}

/// How two commits relate, as far as the mirror can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Same,
    Ahead,
    Behind,
    Diverged,
    /// The local history ends before the question is answered.
    Unknown,
}

impl<'a> ShallowHistory<'a> {
    pub(crate) fn of(repository: &'a gix::Repository) -> gix::Result<Self> {
        // Read the file again: the library caches it by modification time, which is too coarse for two changes in a
        // row.
        Ok(Self { repository, boundary: read(&repository.shallow_file()?)? })
    }

    /// Returns `true` if the history is complete: no commit lacks its parents.
    pub(crate) fn is_complete(&self) -> bool {
        self.boundary.is_empty()
    }

    /// Returns `true` if the history of a commit is present down to its first commits.
    pub(crate) fn is_whole(&self, tip: ObjectId) -> gix::Result<bool> {
        let (mut seen, mut waiting) = (HashSet::new(), vec![tip]);
        while let Some(id) = waiting.pop().filter(|_| !self.boundary.is_empty()) {
            if self.is_boundary(id) {
                return Ok(false);
            }
            if seen.insert(id) {
                waiting.extend(self.parents(id)?);
            }
        }
        Ok(true)
    }

    /// Returns `true` if a commit is present with its files, and with its parents unless it is on the shallow boundary.
    pub(crate) fn has(&self, commit: ObjectId) -> gix::Result<bool> {
        Ok(self.has_commit(commit)? && (self.is_boundary(commit) || self.missing_parents(commit)?.is_empty()))
    }

    /// Returns `true` if a commit is present with its files, whether or not its parents are.
    pub(crate) fn has_commit(&self, commit: ObjectId) -> gix::Result<bool> {
        Ok(self.is_commit(commit)? && self.repository.has_object(self.tree(commit)?))
    }

    /// Returns `true` if the parents of a commit are left out.
    pub(crate) fn is_boundary(&self, commit: ObjectId) -> bool {
        self.boundary.contains(&commit)
    }

    /// Returns the parents of a commit, whether or not they are present.
    pub(crate) fn parents(&self, commit: ObjectId) -> gix::Result<Vec<ObjectId>> {
        let mut buffer = Vec::new();
        Ok(self.repository.objects.find_commit_iter(&commit, &mut buffer)?.parent_ids().collect())
    }

    /// Returns the tree of a commit.
    pub(crate) fn tree(&self, commit: ObjectId) -> gix::Result<ObjectId> {
        let mut buffer = Vec::new();
        self.repository.objects.find_commit_iter(&commit, &mut buffer)?.tree_id()
    }

    /// Returns the time of a commit in seconds; 0 if it is malformed.
    pub(crate) fn time(&self, commit: ObjectId) -> gix::Result<i64> {
        let mut buffer = Vec::new();
        let committer = self.repository.objects.find_commit_iter(&commit, &mut buffer)?.committer();
        Ok(committer.map_or(0, |committer| committer.seconds()))
    }

    /// Returns `true` if an object is present; for a tag, also the object that it peels to.
    pub(crate) fn has_peeled(&self, id: ObjectId) -> gix::Result<bool> {
        let mut id = id;
        loop {
            let Some(object) = self.repository.try_find_object(id)? else { return Ok(false) };
            match object.kind {
                gix::objs::Kind::Tag => id = object.into_tag().target_id()?.detach(),
                gix::objs::Kind::Commit => return self.has(id),
                gix::objs::Kind::Tree | gix::objs::Kind::Blob => return Ok(true),
            }
        }
    }

    /// Returns `true` if `old` is in the history of `new`, as far as the history is present. Both must be present.
    pub(crate) fn descends(&self, new: ObjectId, old: ObjectId) -> gix::Result<bool> {
        Ok(self.walk(new, |id| id == old, &HashSet::new())?.found)
    }

    /// Returns how `new` relates to `old`. Both must be present.
    pub(crate) fn relation(&self, old: ObjectId, new: ObjectId) -> gix::Result<Relation> {
        if old == new {
            return Ok(Relation::Same);
        }
        let newer = self.walk(new, |id| id == old, &HashSet::new())?;
        if newer.found {
            return Ok(Relation::Ahead);
        }
        let older = self.walk(old, |_| false, &HashSet::new())?;
        if older.seen.contains(&new) {
            return Ok(Relation::Behind);
        }
        // A walk that reaches an ancestor of the old commit can never come back to the old commit. So the question
        // stays open only if a walk reaches the shallow boundary by another path.
        let open = self.walk(new, |_| false, &older.seen)?.reaches_boundary
            || self.walk(old, |_| false, &newer.seen)?.reaches_boundary;
        Ok(if open { Relation::Unknown } else { Relation::Diverged })
    }

    fn walk(
        &self,
        from: ObjectId,
        is_wanted: impl Fn(ObjectId) -> bool,
        excluded: &HashSet<ObjectId>,
    ) -> gix::Result<Visited> {
        let mut visited = Visited { seen: HashSet::from([from]), found: false, reaches_boundary: false };
        let mut waiting = VecDeque::from([from]);
        while let Some(commit) = waiting.pop_front() {
            if is_wanted(commit) {
                visited.found = true;
                return Ok(visited);
            }
            if self.boundary.contains(&commit) {
                visited.reaches_boundary = true;
                continue;
            }
            for parent in self.parents(commit)? {
                if !excluded.contains(&parent) && visited.seen.insert(parent) {
                    waiting.push_back(parent);
                }
            }
        }
        Ok(visited)
    }

    fn missing_parents(&self, commit: ObjectId) -> gix::Result<Vec<ObjectId>> {
        let mut lacking = self.parents(commit)?;
        lacking.retain(|parent| !self.repository.has_object(*parent));
        Ok(lacking)
    }

    fn is_commit(&self, id: ObjectId) -> gix::Result<bool> {
        Ok(self.repository.try_find_header(id)?.is_some_and(|header| header.kind() == gix::objs::Kind::Commit))
    }
}

struct Visited {
    seen: HashSet<ObjectId>,
    found: bool,
    reaches_boundary: bool,
}

/// Adds commits to the list that are about to be written without their parents.
pub(crate) fn extend_boundary(repository: &gix::Repository, commits: &BTreeSet<ObjectId>) -> gix::Result<()> {
    let local = ShallowHistory::of(repository)?;
    let mut boundary: BTreeSet<ObjectId> = local.boundary.iter().copied().collect();
    for commit in commits {
        // The mirror may already have what the remote left out.
        if !local.has_complete_parents(*commit)? {
            boundary.insert(*commit);
        }
    }
    if boundary.len() > local.boundary.len() { write(&repository.shallow_file()?, &boundary) } else { Ok(()) }
}

/// Removes commits whose parents have arrived from the list, so that the history continues beyond them. Commits that a killed process
/// listed and did not write are removed as well.
pub(crate) fn trim_boundary(repository: &gix::Repository) -> Result<(), Error> {
    let repair = || {
        let local = ShallowHistory::of(repository)?;
        let mut open = BTreeSet::new();
        for commit in &local.boundary {
            if local.is_commit(*commit)? && !local.has_complete_parents(*commit)? {
                open.insert(*commit);
            }
        }
        if open.len() < local.boundary.len() { write(&repository.shallow_file()?, &open) } else { Ok(()) }
    };
    repair().map_err(Error::local("repair the shallow boundary"))
}

fn read(path: &Path) -> gix::Result<HashSet<ObjectId>> {
    match std::fs::read(path) {
        Ok(bytes) => bytes.lines().map(ObjectId::from_hex).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashSet::new()),
        Err(error) => Err(gix::Error::from_error(error)),
    }
}

fn write(path: &Path, boundary: &BTreeSet<ObjectId>) -> gix::Result<()> {
    let fail = |error: io::Error| gix::Error::from_error(error);
    if boundary.is_empty() {
        return std::fs::remove_file(path).map_err(fail);
    }
    let aside = path.with_extension("aside");
    let lines: String = boundary.iter().map(|id| format!("{id}\n")).collect();
    std::fs::write(&aside, lines).and_then(|()| std::fs::rename(&aside, path)).map_err(fail)
}

impl ShallowHistory<'_> {
    /// Returns `true` if a commit no longer belongs on the boundary: all its parents are present.
    fn has_complete_parents(&self, commit: ObjectId) -> gix::Result<bool> {
        if !self.is_commit(commit)? {
            return Ok(false);
        }
        for parent in self.parents(commit)? {
            if !self.has(parent)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::any;

    use super::*;

    /// Writes a history in which each commit has some of the earlier ones as parents.
    fn written(repository: &gix::Repository, parents: &[(usize, Option<usize>)]) -> Vec<ObjectId> {
        let mut commits: Vec<ObjectId> = Vec::new();
        for (at, (first, second)) in parents.iter().enumerate() {
            let earlier = |pick: &usize| commits.get(at.checked_sub(1 + pick % 4)?).copied();
            let mut parents: Vec<ObjectId> =
                [earlier(first), second.as_ref().and_then(earlier)].into_iter().flatten().collect();
            parents.dedup();
            let person = gix::actor::Signature { name: format!("{at}").into(), ..Default::default() };
            let commit = gix::objs::Commit {
                tree: ObjectId::empty_tree(gix::hash::Kind::Sha1),
                parents: parents.into(),
                author: person.clone(),
                committer: person,
                encoding: None,
                message: "".into(),
                extra_headers: Vec::new(),
            };
            commits.push(repository.write_object(&commit).unwrap().detach());
        }
        commits
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        #[test]
        fn answer_is_never_wrong_for_any_shallow_boundary(
            parents in vec((0_usize..4, any::<Option<usize>>()), 2..14),
            cut in vec(any::<bool>(), 14),
            pick in any::<(usize, usize)>(),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let repository = gix::init_bare(folder.path()).unwrap();
            let commits = written(&repository, &parents);
            let (old, new) = (commits[pick.0 % commits.len()], commits[pick.1 % commits.len()]);
            let whole = ShallowHistory { repository: &repository, boundary: HashSet::new() };
            let above = |tip| whole.walk(tip, |_| false, &HashSet::new()).unwrap().seen;
            let truth = match (above(new).contains(&old), above(old).contains(&new)) {
                _ if old == new => Relation::Same,
                (true, _) => Relation::Ahead,
                (_, true) => Relation::Behind,
                _ => Relation::Diverged,
            };
            proptest::prop_assert_eq!(whole.relation(old, new).unwrap(), truth);
            let boundary = commits.iter().zip(&cut).filter(|(_, cut)| **cut).map(|(id, _)| *id).collect();
            let answer = ShallowHistory { repository: &repository, boundary }.relation(old, new).unwrap();
            proptest::prop_assert!(answer == truth || answer == Relation::Unknown, "{answer:?} for {truth:?}");
        }
    }
}
