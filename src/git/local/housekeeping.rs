//! Packs the loose objects of a remote after a push, where Git would run `git gc --auto`.
//!
//! Each push adds a few files, and without housekeeping there would be millions in the end. Nothing is dropped. Objects that were
//! written recently are left alone: another program may be about to move a ref to them, and an object in a pack that no ref leads to
//! may be removed at once by `git repack -a -d`, unlike a file of its own.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gix::ObjectId;

use crate::store::{pack, repack};

/// Number of loose objects from which on they are packed.
///
/// # Source
/// The default of `gc.auto`, git-config(1).
const MAX_LOOSE: i64 = 6_700;

/// Number of directories that loose objects are spread over, by their first two digits.
const DIRECTORIES: i64 = 256;

/// Objects younger than this stay files of their own.
const MIN_AGE: Duration = Duration::from_secs(3_600);

/// Packs loose objects if there are too many, unless the configuration forbids it.
pub(super) fn pack_loose(remote: &gix::Repository, flag: &AtomicBool) -> gix::Result<()> {
    let config = remote.config_snapshot();
    let limit = config.integer("gc.auto").unwrap_or(MAX_LOOSE);
    if limit <= 0 || config.boolean("receive.autogc") == Some(false) {
        return Ok(());
    }
    let objects = remote.objects.store_ref().path().to_owned();
    // As in Git, one of the directories is enough to estimate the number.
    let sample = repack::loose(&objects.join("17"), "17").map_err(gix::Error::from_error)?;
    if i64::try_from(sample.len()).is_ok_and(|number| number <= limit / DIRECTORIES) {
        return Ok(());
    }
    let mut old = repack::loose_objects(&objects).map_err(gix::Error::from_error)?;
    old.retain(|(_, path)| is_old(path));
    if old.is_empty() {
        return Ok(());
    }
    let ids = old.iter().map(|(id, _)| *id).collect();
    let stored = pack::store(remote, &ids, &objects.join("pack"), flag)?;
    stored.sync()?;
    remove(old).and_then(|()| stored.keep.map_or(Ok(()), std::fs::remove_file)).map_err(gix::Error::from_error)
}

fn is_old(path: &std::path::Path) -> bool {
    let modified = path.metadata().and_then(|file| file.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age >= MIN_AGE))
}

fn remove(packed: Vec<(ObjectId, PathBuf)>) -> io::Result<()> {
    packed.into_iter().try_for_each(|(_, path)| repack::remove(&path))
}
