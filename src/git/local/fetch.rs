//! Fetches from a repository on this machine.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::objs::Kind;
use gix::refs::FullName;

use super::collect::Collector;
use super::transfer::{self, Copied, Failure, UNPACK_LIMIT};
use super::{history, place, refs};
use crate::Error;
use crate::history::shallow::{self, ShallowHistory};
use crate::request::{Depth, Received, RefRequest};
use crate::store;
use crate::transport::Connection;

/// Number of attempts. A program that packs the remote removes the files that it has packed, so an object may disappear from where it
/// was found, and is then found elsewhere.
const TRIES: usize = 3;

/// Lists the refs that match patterns such as `refs/tags/*`.
pub(crate) fn list(
    remote: &gix::Repository,
    connection: &Connection<'_>,
    patterns: &[String],
) -> Result<BTreeMap<String, ObjectId>, Error> {
    refs::list(remote, patterns).map_err(|source| connection.to_local_error(source))
}

/// Fetches refs and updates the local copies, removing those that the remote does not have.
///
/// `depth` receives the tips on the remote and returns how much of their history to fetch.
pub(crate) fn receive(
    mirror: &gix::Repository,
    remote: &gix::Repository,
    connection: &Connection<'_>,
    requests: &[RefRequest],
    depth: impl Fn(&BTreeMap<FullName, ObjectId>) -> gix::Result<Depth>,
) -> Result<Received, Error> {
    let names: Vec<FullName> = requests.iter().map(|request| request.name.clone()).collect();
    repeatedly(remote, connection, |remote| {
        let tips = refs::find(remote, &names).map_err(|source| connection.to_local_error(source))?;
        // Delete removed refs first: a branch may have become a directory of branches.
        let gone = requests.iter().filter(|request| !tips.contains_key(&request.name));
        store::refs::remove(mirror, gone.map(|request| request.local_name.clone()))
            .map_err(Error::local("remove a branch"))?;
        if tips.is_empty() {
            return Ok(Received::Nothing);
        }
        let depth = depth(&tips).map_err(Error::local("look up a commit"))?;
        let wanted: Vec<ObjectId> = tips.values().copied().collect();
        let copied = copy(mirror, remote, connection, &wanted, depth)?;
        let found = requests.iter().filter_map(|request| Some((&request.local_name, *tips.get(&request.name)?)));
        store::refs::set(mirror, found).map_err(Error::local("move a branch"))?;
        let received = if copied.number == 0 { Received::Nothing } else { Received::Objects };
        release(copied).map(|()| received)
    })
}

/// Fetches commits by their ids; returns `false` if the remote does not have one of them.
pub(crate) fn receive_commits(
    mirror: &gix::Repository,
    remote: &gix::Repository,
    connection: &Connection<'_>,
    commits: &[ObjectId],
    depth: Depth,
) -> Result<bool, Error> {
    repeatedly(remote, connection, |remote| {
        for commit in commits {
            let header = remote.try_find_header(*commit).map_err(|source| connection.to_local_error(source))?;
            if header.is_none_or(|header| header.kind() != Kind::Commit) {
                return Ok(false);
            }
        }
        release(copy(mirror, remote, connection, commits, depth)?).map(|()| true)
    })
}

/// Runs a transfer, and again if the remote could not be read.
fn repeatedly<T>(
    remote: &gix::Repository,
    connection: &Connection<'_>,
    transfer: impl Fn(&gix::Repository) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut outcome = transfer(remote);
    for _ in 1..TRIES {
        if !matches!(outcome, Err(Error::Remote { .. })) {
            break;
        }
        let again = place::open(remote.path()).map_err(|source| connection.to_local_error(source))?;
        outcome = transfer(&again);
    }
    outcome
}

/// Copies what the mirror lacks of the wanted objects and their history.
///
/// The shallow boundary is extended first: a process that is killed then leaves commits in the list that do not exist, and no commit
/// without its parents that is not in the list.
fn copy(
    mirror: &gix::Repository,
    remote: &gix::Repository,
    connection: &Connection<'_>,
    wanted: &[ObjectId],
    depth: Depth,
) -> Result<Copied, Error> {
    let mut mirror = mirror.clone();
    // Most of the objects are missing, and looking for a missing object would read the directory of packs again each time.
    mirror.objects.refresh_never();
    let unreadable = Error::local("look up an object");
    let local = ShallowHistory::of(&mirror).map_err(&unreadable)?;
    let needed = || {
        let tips = wanted.iter().map(|id| peeled(remote, *id)).collect::<gix::Result<Vec<_>>>()?;
        let tips = tips.into_iter().filter(|(_, kind)| *kind == Kind::Commit).map(|(id, _)| id).collect();
        let there = ShallowHistory::of(remote)?;
        let selection = history::within(&there, &local, tips, depth, connection.flag())?;
        let is_known = |id, kind| match kind {
            Kind::Commit => local.has_commit(id),
            Kind::Tree | Kind::Blob | Kind::Tag => Ok(mirror.has_object(id)),
        };
        let mut collector = Collector::new(remote, &selection.commits, is_known, connection.flag());
        collector.add_commits()?;
        for id in wanted {
            collector.add(*id, remote.find_header(*id)?.kind())?;
        }
        Ok((collector.into_objects(), selection.cut))
    };
    let (objects, cut) = needed().map_err(|source| connection.to_local_error(source))?;
    shallow::extend_boundary(&mirror, &cut).map_err(Error::local("extend the shallow boundary"))?;
    transfer::copy(remote, &mirror, &objects, UNPACK_LIMIT, connection.flag()).map_err(|failure| match failure {
        Failure::Read(source) => connection.to_local_error(source),
        Failure::Write(source) => Error::Repository { operation: "store the objects of the remote", source },
    })
}

/// Returns the object that an annotated tag leads to, with its kind; the object itself if it is not a tag.
fn peeled(remote: &gix::Repository, id: ObjectId) -> gix::Result<(ObjectId, Kind)> {
    let mut id = id;
    loop {
        let object = remote.find_object(id)?;
        match object.kind {
            Kind::Tag => id = object.into_tag().target_id()?.detach(),
            kind => return Ok((id, kind)),
        }
    }
}

fn release(copied: Copied) -> Result<(), Error> {
    let failed = Error::local("store the objects of the remote");
    copied.release().map_err(|error| failed(gix::Error::from_error(error)))
}
