//! Selects the commits to transfer: those within a depth for a fetch, and those that the remote lacks for a push.

use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use gix::ObjectId;

use super::collect::check;
use crate::history::shallow::ShallowHistory;
use crate::request::Depth;

/// The commits to transfer.
#[derive(Default)]
pub(super) struct Selection {
    /// All of them.
    pub(super) commits: HashSet<ObjectId>,
    /// Those whose parents are left out.
    pub(super) cut: BTreeSet<ObjectId>,
}

/// Selects the history of some commits up to a depth; with [`Depth::Missing`], up to the commits that the mirror has.
pub(super) fn within(
    remote: &ShallowHistory<'_>,
    mirror: &ShallowHistory<'_>,
    tips: Vec<ObjectId>,
    depth: Depth,
    flag: &AtomicBool,
) -> gix::Result<Selection> {
    let mut selection = Selection::default();
    let (mut seen, mut level, mut number) = (HashSet::new(), tips, 0_u32);
    while !level.is_empty() {
        number = number.saturating_add(1);
        let is_last = matches!(depth, Depth::Commits(limit) if number >= limit.get());
        let mut next = Vec::new();
        for commit in level {
            check(flag)?;
            if !seen.insert(commit) || (depth == Depth::Missing && mirror.has(commit)?) {
                continue;
            }
            let parents = remote.parents(commit)?;
            selection.commits.insert(commit);
            if parents.is_empty() {
                continue;
            }
            if is_last || remote.is_boundary(commit) {
                selection.cut.insert(commit);
            } else {
                next.extend(parents);
            }
        }
        level = next;
    }
    Ok(selection)
}

/// Selects the history of some commits that is not part of the history of others.
pub(super) fn missing(
    source: &ShallowHistory<'_>,
    tips: &[ObjectId],
    there: &[ObjectId],
    flag: &AtomicBool,
) -> gix::Result<Selection> {
    let mut walk = Walk { source, is_there: HashMap::new(), waiting: BinaryHeap::new(), open: HashSet::new() };
    there.iter().try_for_each(|commit| walk.add(*commit, true))?;
    tips.iter().try_for_each(|commit| walk.add(*commit, false))?;
    let mut selection = Selection::default();
    // Whatever remains at the end leads only to commits that are there.
    while !walk.open.is_empty() {
        check(flag)?;
        let Some((_, commit)) = walk.waiting.pop() else { break };
        walk.open.remove(&commit);
        let is_there = walk.is_there.get(&commit).copied().unwrap_or_default();
        if is_there {
            selection.commits.remove(&commit);
        } else {
            selection.commits.insert(commit);
        }
        if source.is_boundary(commit) {
            continue;
        }
        for parent in source.parents(commit)? {
            walk.add(parent, is_there)?;
        }
    }
    for commit in &selection.commits {
        if source.is_boundary(*commit) && !source.parents(*commit)?.is_empty() {
            selection.cut.insert(*commit);
        }
    }
    Ok(selection)
}

/// A walk through two histories at once, newest commits first.
struct Walk<'a> {
    source: &'a ShallowHistory<'a>,
    /// The commits seen so far, and whether each is known to be there.
    is_there: HashMap<ObjectId, bool>,
    waiting: BinaryHeap<(i64, ObjectId)>,
    /// The waiting commits that are not known to be there.
    open: HashSet<ObjectId>,
}

impl Walk<'_> {
    fn add(&mut self, commit: ObjectId, is_there: bool) -> gix::Result<()> {
        match self.is_there.insert(commit, is_there) {
            None if !is_there => drop(self.open.insert(commit)),
            Some(false) if is_there => drop(self.open.remove(&commit)),
            None => {}
            Some(before) => {
                self.is_there.insert(commit, before);
                return Ok(());
            }
        }
        self.waiting.push((self.source.time(commit)?, commit));
        Ok(())
    }
}
