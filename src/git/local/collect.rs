//! Lists the objects of a transfer, each one after everything that it needs.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use gix::ObjectId;
use gix::objs::{FindExt, Kind};

/// Lists objects of a repository.
pub(super) struct Collector<'a, Known> {
    source: &'a gix::Repository,
    /// The commits to list. The history of others is not visited.
    commits: &'a HashSet<ObjectId>,
    /// Returns `true` if the destination has an object with everything that the object needs, except for the parents of a commit.
    is_known: Known,
    flag: &'a AtomicBool,
    seen: HashSet<ObjectId>,
    found: Vec<ObjectId>,
}

/// A step of the walk. The steps of what an object needs come between its two steps.
enum Step {
    Enter(ObjectId, Kind),
    Leave(ObjectId),
}

impl<'a, Known: Fn(ObjectId, Kind) -> gix::Result<bool>> Collector<'a, Known> {
    pub(super) fn new(
        source: &'a gix::Repository,
        commits: &'a HashSet<ObjectId>,
        is_known: Known,
        flag: &'a AtomicBool,
    ) -> Self {
        Self { source, commits, is_known, flag, seen: HashSet::new(), found: Vec::new() }
    }

    /// Adds all selected commits.
    pub(super) fn add_commits(&mut self) -> gix::Result<()> {
        self.commits.iter().try_for_each(|commit| self.add(*commit, Kind::Commit))
    }

    /// Adds an object with everything that it needs and the destination lacks.
    pub(super) fn add(&mut self, id: ObjectId, kind: Kind) -> gix::Result<()> {
        let mut steps = vec![Step::Enter(id, kind)];
        while let Some(step) = steps.pop() {
            check(self.flag)?;
            match step {
                Step::Leave(id) => self.found.push(id),
                Step::Enter(id, kind) => {
                    if self.seen.insert(id) {
                        let is_known = (self.is_known)(id, kind)?;
                        if !is_known {
                            steps.push(Step::Leave(id));
                            self.needs(id, kind, &mut steps)?;
                        }
                        if kind == Kind::Commit {
                            self.selected_parents(id, &mut steps)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the objects, each one after everything that it needs.
    pub(super) fn into_objects(self) -> Vec<ObjectId> {
        self.found
    }

    /// Adds the steps to the parents of a commit that are to be listed. Those of a commit outside the selection are not.
    fn selected_parents(&self, commit: ObjectId, steps: &mut Vec<Step>) -> gix::Result<()> {
        if self.commits.contains(&commit) {
            let mut buffer = Vec::new();
            let parents = self.source.objects.find_commit_iter(&commit, &mut buffer)?.parent_ids();
            let parents = parents.filter(|parent| self.commits.contains(parent));
            steps.extend(parents.map(|parent| Step::Enter(parent, Kind::Commit)));
        }
        Ok(())
    }

    /// Adds the steps to what an object needs directly, except for the parents of a commit.
    fn needs(&self, id: ObjectId, kind: Kind, steps: &mut Vec<Step>) -> gix::Result<()> {
        let mut buffer = Vec::new();
        match kind {
            Kind::Blob => {}
            Kind::Tree => {
                for entry in self.source.find_tree(id)?.iter() {
                    let entry = entry?;
                    // The commit of a submodule is in another repository.
                    if !entry.mode().is_commit() {
                        let kind = if entry.mode().is_tree() { Kind::Tree } else { Kind::Blob };
                        steps.push(Step::Enter(entry.object_id(), kind));
                    }
                }
            }
            Kind::Commit => {
                let tree = self.source.objects.find_commit_iter(&id, &mut buffer)?.tree_id()?;
                steps.push(Step::Enter(tree, Kind::Tree));
            }
            Kind::Tag => {
                let tag = self.source.objects.find_tag(&id, &mut buffer)?;
                let (target, kind) = (tag.target(), tag.target_kind);
                if kind != Kind::Commit || self.commits.contains(&target) {
                    steps.push(Step::Enter(target, kind));
                }
            }
        }
        Ok(())
    }
}

/// Fails if the flag is set that ends a transfer.
pub(super) fn check(flag: &AtomicBool) -> gix::Result<()> {
    let is_set = flag.load(Ordering::Relaxed);
    if is_set { Err(gix::Error::from_error(io::Error::from(io::ErrorKind::Interrupted))) } else { Ok(()) }
}
