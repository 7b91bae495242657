//! Copies objects from one repository to another: a few as files of their own, and many as one pack.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::AtomicBool;

use gix::ObjectId;
use gix::objs::{FindExt, Kind, Write, compute_hash};

use super::collect::check;
use crate::error::is_of_disk;
use crate::store::pack::{self, Stored};

/// Number of objects from which on they become a pack, unless the repository sets another one.
///
/// # Source
/// The default of `receive.unpackLimit`, git-config(1).
pub(super) const UNPACK_LIMIT: usize = 100;

/// Why objects were not copied.
pub(super) enum Failure {
    /// They cannot be read.
    Read(gix::Error),
    /// They cannot be written.
    Write(gix::Error),
}

/// Objects that no ref leads to yet.
#[must_use = "the protection of a pack has to be removed"]
pub(super) struct Copied {
    /// How many there are.
    pub(super) number: usize,
    pack: Option<Stored>,
}

impl Copied {
    /// Waits until a pack is on the disk. Like Git, this does not wait for objects in files of their own.
    pub(super) fn sync(&self) -> gix::Result<()> {
        self.pack.as_ref().map_or(Ok(()), Stored::sync)
    }

    /// Removes the protection from garbage collection, once a ref leads to the objects.
    pub(super) fn release(self) -> io::Result<()> {
        self.pack.and_then(|pack| pack.keep).map_or(Ok(()), std::fs::remove_file)
    }
}

/// Copies objects in the given order: an object comes after everything that it needs.
pub(super) fn copy(
    from: &gix::Repository,
    to: &gix::Repository,
    objects: &[ObjectId],
    unpack_limit: usize,
    flag: &AtomicBool,
) -> Result<Copied, Failure> {
    // Git knows the empty tree without storing it, so it is written and not copied.
    let (empty, objects): (Vec<ObjectId>, Vec<ObjectId>) = objects.iter().partition(|id| id.is_empty_tree());
    for tree in empty {
        to.objects.write_buf_with_known_id(Kind::Tree, &[], tree).map_err(Failure::Write)?;
    }
    if objects.len() < unpack_limit.max(1) {
        objects.iter().try_for_each(|id| copy_one(from, to, *id, flag))?;
        return Ok(Copied { number: objects.len(), pack: None });
    }
    let folder = to.objects.store_ref().path().join("pack");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::Write(gix::Error::from_error(error)))?;
    let ids: BTreeSet<ObjectId> = objects.iter().copied().collect();
    let stored = pack::store(from, &ids, &folder, flag)
        .map_err(|error| if is_of_disk(&error, true) { Failure::Write(error) } else { Failure::Read(error) })?;
    Ok(Copied { number: objects.len(), pack: Some(stored) })
}

fn copy_one(from: &gix::Repository, to: &gix::Repository, id: ObjectId, flag: &AtomicBool) -> Result<(), Failure> {
    check(flag).map_err(Failure::Read)?;
    let mut buffer = Vec::new();
    let object = from.objects.find(&id, &mut buffer).map_err(Failure::Read)?;
    // The library trusts the name of a file, so a damaged object would spread.
    if compute_hash(id.kind(), object.kind, object.data).map_err(Failure::Read)? != id {
        let damaged = io::Error::new(io::ErrorKind::InvalidData, format!("object {id} is damaged"));
        return Err(Failure::Read(gix::Error::from_error(damaged)));
    }
    to.objects.write_buf_with_known_id(object.kind, object.data, id).map(drop).map_err(Failure::Write)
}
