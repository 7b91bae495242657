//! Pushes to a repository on this machine: first the objects, then the ref.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::ByteSlice;
use gix::objs::Kind;

use super::collect::{Collector, check};
use super::swap::{Swap, swap};
use super::transfer::{self, Failure, UNPACK_LIMIT};
use super::{history, housekeeping, refs, rules};
use crate::Error;
use crate::history::shallow::ShallowHistory;
use crate::request::{Outcome, Update};
use crate::sanitize::printable;
use crate::transport::Connection;

/// Writes the objects that the remote lacks into it, and moves the ref if it still has the expected value.
pub(crate) fn send(
    mirror: &gix::Repository,
    remote: &gix::Repository,
    connection: &Connection<'_>,
    update: &Update,
) -> Result<Outcome, Error> {
    let flag = connection.flag();
    let remote_failed = |source| connection.to_local_error(source);
    let mirror_failed = |source| connection.to_own_error("read the objects to push", source);
    let listed = refs::list(remote, &["refs/*".to_owned()]).map_err(remote_failed)?;
    let name = update.name.as_bstr().to_str_lossy().into_owned();
    if let Some(outcome) = update.settled(listed.get(&name).copied()) {
        return Ok(outcome);
    }
    let checked_out = rules::checked_out(remote, &update.name).map_err(remote_failed)?;
    if let Some(reason) = checked_out.or_else(|| in_the_way(&listed, &name)) {
        return Ok(Outcome::Refused { reason, messages: String::new() });
    }
    let there: Vec<ObjectId> = listed.into_values().collect();
    let needed = needed(mirror, &[update.new], &there, flag).map_err(mirror_failed)?;
    if let Some(reason) = incomplete(remote, &needed.below, &there, flag).map_err(remote_failed)? {
        return Ok(Outcome::Refused { reason, messages: String::new() });
    }
    let limit = unpack_limit(remote);
    let copied = transfer::copy(mirror, remote, &needed.objects, limit, flag);
    let copied = match copied.and_then(|copied| copied.sync().map(|()| copied).map_err(Failure::Write)) {
        Ok(copied) => copied,
        Err(Failure::Read(source)) => return Err(mirror_failed(source)),
        Err(Failure::Write(source)) => {
            connection.check()?;
            return Ok(refused("the objects cannot be stored", &source));
        }
    };
    let swapped = swap(remote, update, &committer(mirror, update.new));
    // The ref leads to the objects now, or nothing ever will. A mark that stays only keeps a pack from being combined with others.
    copied.release().ok();
    match swapped.map_err(remote_failed)? {
        Swap::Done => {
            // The push has succeeded. The next one tries again.
            if let Err(error) = housekeeping::pack_loose(remote, flag) {
                tracing::debug!(%error, "the loose objects of the remote were not packed");
            }
            Ok(Outcome::Done)
        }
        Swap::Moved(now) => Ok(update.settled(now).unwrap_or(Outcome::Stale(now))),
        Swap::Failed(source) => Ok(refused("the branch cannot be moved", &source)),
    }
}

/// Returns a refusal with the messages of an error.
fn refused(what: &str, source: &gix::Error) -> Outcome {
    let why: Vec<String> = source.iter_errors().map(ToString::to_string).collect();
    Outcome::Refused { reason: printable(format!("{what}: {}", why.join(": ")).as_bytes()), messages: String::new() }
}

/// Returns why a ref cannot exist beside the others: a name cannot be a branch and a directory of branches.
fn in_the_way(listed: &BTreeMap<String, ObjectId>, name: &str) -> Option<String> {
    let is_directory =
        |directory: &str, name: &str| name.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
    let other = listed.keys().find(|other| is_directory(other, name) || is_directory(name, other))?;
    Some(format!("{other} exists, so {name} cannot be created"))
}

/// Returns why the remote lacks what commits below a push need; `None` if it lacks nothing.
fn incomplete(
    remote: &gix::Repository,
    below: &[ObjectId],
    there: &[ObjectId],
    flag: &AtomicBool,
) -> gix::Result<Option<String>> {
    if below.is_empty() {
        return Ok(None);
    }
    let lost = |id: &ObjectId| format!("the remote lacks object {id}, which the pushed commits need");
    if let Some(id) = below.iter().find(|id| !remote.has_object(**id)) {
        return Ok(Some(lost(id)));
    }
    match needed(remote, below, there, flag) {
        Ok(needed) => Ok(needed.objects.iter().find(|id| !remote.has_object(**id)).map(lost)),
        Err(error) => check(flag).map(|()| Some(format!("the remote lacks what the pushed commits need: {error}"))),
    }
}

/// Returns the number of objects from which on the remote stores them as a pack.
fn unpack_limit(remote: &gix::Repository) -> usize {
    let config = remote.config_snapshot();
    let limit = config.integer("receive.unpackLimit").or_else(|| config.integer("transfer.unpackLimit"));
    limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(UNPACK_LIMIT)
}

/// Returns the committer of a commit, for the log of the ref.
fn committer(mirror: &gix::Repository, commit: ObjectId) -> Signature {
    let read = || mirror.find_commit(commit)?.committer()?.to_owned();
    read().unwrap_or_default()
}

/// The objects of a push.
struct Needed {
    /// Those that the remote lacks, each one after everything that it needs.
    objects: Vec<ObjectId>,
    /// The parents that are left out because the history of the mirror is shallow.
    below: Vec<ObjectId>,
}

/// Returns everything that some commits need and that is not in the history of others.
///
/// An object that exists in the remote counts only if a ref leads to it: others may lack something, or be about to be removed.
fn needed(source: &gix::Repository, tips: &[ObjectId], there: &[ObjectId], flag: &AtomicBool) -> gix::Result<Needed> {
    let local = ShallowHistory::of(source)?;
    let mut commits = Vec::new();
    for id in there {
        let header = source.try_find_header(*id)?;
        commits.extend(header.filter(|header| header.kind() == Kind::Commit).map(|_| *id));
    }
    let selection = history::missing(&local, tips, &commits, flag)?;
    let mut known = HashSet::new();
    let mut below = Vec::new();
    for commit in &selection.commits {
        for parent in local.parents(*commit)?.into_iter().filter(|parent| !selection.commits.contains(parent)) {
            if selection.cut.contains(commit) {
                below.push(parent);
            } else {
                add_known(source, (local.tree(parent)?, local.tree(*commit)?), &mut known, flag)?;
            }
        }
    }
    let is_known = |id: ObjectId, _| Ok(known.contains(&id));
    let mut collector = Collector::new(source, &selection.commits, is_known, flag);
    collector.add_commits()?;
    Ok(Needed { objects: collector.into_objects(), below })
}

/// Adds the objects of a tree that is there, as far as another tree may contain them in the same place.
fn add_known(
    source: &gix::Repository,
    trees: (ObjectId, ObjectId),
    known: &mut HashSet<ObjectId>,
    flag: &AtomicBool,
) -> gix::Result<()> {
    let mut waiting = vec![trees];
    while let Some((there, new)) = waiting.pop() {
        check(flag)?;
        if !known.insert(there) || there == new {
            continue;
        }
        let (old_tree, new_tree) = (source.find_tree(there)?, source.find_tree(new)?);
        let mut directories = BTreeMap::new();
        for entry in old_tree.decode()?.entries {
            known.extend((!entry.mode.is_tree()).then(|| entry.oid.to_owned()));
            if entry.mode.is_tree() {
                directories.insert(entry.filename, entry.oid.to_owned());
            }
        }
        for entry in new_tree.decode()?.entries {
            let same_place = directories.remove(entry.filename).filter(|_| entry.mode.is_tree());
            waiting.extend(same_place.map(|directory| (directory, entry.oid.to_owned())));
        }
        // A directory that was moved elsewhere is there as well.
        known.extend(directories.into_values());
    }
    Ok(())
}
