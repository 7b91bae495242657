//! Housekeeping: combines many small packs and loose objects into one pack.
//!
//! Every fetch that receives objects adds a pack, and every commit adds loose objects. Nothing is ever dropped: an
//! object that is no longer reachable from a ref may still be the revision that an add-on follows.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use gix::ObjectId;
use gix_pack::index;

use super::pack;

/// Packs above this size are left alone: copying them again and again would cost more than it saves.
const SMALL_BYTES: u64 = 16 << 20;

/// The maximum number of bytes that one pass copies.
const PASS_BYTES: u64 = 256 << 20;

/// The maximum number of small packs.
const MAX_PACKS: usize = 50;

/// The maximum number of loose objects in one of the 256 directories: about five thousand in all.
const MAX_LOOSE: usize = 20;

/// Combines small packs and loose objects if there are too many. Returns `true` if anything was packed.
///
/// Nothing else may use the repository meanwhile. If the process is killed at any moment, every object still exists at
/// least once.
pub(crate) fn repack(repository: &gix::Repository) -> gix::Result<bool> {
    let objects = repository.objects.store_ref().path().to_owned();
    let packs = small_packs(&objects.join("pack")).map_err(io_error)?;
    let many_loose = loose(&objects.join("17"), "17").map_err(io_error)?.len() > MAX_LOOSE;
    if packs.len() <= MAX_PACKS && !many_loose {
        return Ok(false);
    }
    let mut loose_files = loose_objects(&objects).map_err(io_error)?;
    let mut ids: BTreeSet<ObjectId> = loose_files.iter().map(|(id, _)| *id).collect();
    for pack in &packs {
        let index = index::File::at(pack.with_extension("idx"), repository.object_hash())?;
        ids.extend(index.iter().map(|entry| entry.oid));
    }
    if ids.is_empty() {
        return Ok(false);
    }
    let stored = pack::store(repository, &ids, &objects.join("pack"), &AtomicBool::new(false))?;
    stored.sync()?;
    stored.keep.map_or(Ok(()), |mark| remove(&mark)).map_err(io_error)?;
    for pack in packs.iter().filter(|pack| pack.with_extension("idx") != stored.index) {
        // Remove the index first: without it, a pack is ignored.
        for ending in ["idx", "keep", "rev", "pack"] {
            remove(&pack.with_extension(ending)).map_err(io_error)?;
        }
    }
    loose_files.drain(..).try_for_each(|(_, path)| remove(&path)).map_err(io_error)?;
    Ok(true)
}

/// Returns as many small packs as one pass copies, smallest first.
fn small_packs(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut packs = Vec::new();
    for entry in entries(folder)? {
        let path = entry.path();
        if path.extension() == Some(OsStr::new("pack")) && path.with_extension("idx").exists() {
            packs.push((entry.metadata()?.len(), path));
        }
    }
    packs.sort();
    let mut budget = PASS_BYTES;
    let small = packs.into_iter().take_while(|(bytes, _)| {
        let fits = *bytes <= SMALL_BYTES && *bytes <= budget;
        budget = budget.saturating_sub(*bytes);
        fits
    });
    Ok(small.map(|(_, path)| path).collect())
}

/// Returns all loose objects in a directory of objects.
pub(crate) fn loose_objects(objects: &Path) -> io::Result<Vec<(ObjectId, PathBuf)>> {
    let mut found = Vec::new();
    for folder in entries(objects)? {
        let name = folder.file_name();
        if let Some(prefix) = name.to_str().filter(|name| name.len() == 2) {
            found.extend(loose(&folder.path(), prefix)?);
        }
    }
    Ok(found)
}

/// Returns the loose objects in one of the directories. Files that are still being written have other names.
pub(crate) fn loose(folder: &Path, prefix: &str) -> io::Result<Vec<(ObjectId, PathBuf)>> {
    let named = entries(folder)?.into_iter().filter_map(|entry| {
        let id = ObjectId::from_hex(format!("{prefix}{}", entry.file_name().to_str()?).as_bytes()).ok()?;
        Some((id, entry.path()))
    });
    Ok(named.collect())
}

fn entries(folder: &Path) -> io::Result<Vec<std::fs::DirEntry>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Removes a file that may be gone already.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn io_error(error: io::Error) -> gix::Error {
    gix::Error::from_error(error)
}
