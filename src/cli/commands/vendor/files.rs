//! Writes the vendored files and the lock to the repository on this machine.
//!
//! Everything that is new is first written to a directory of its own, with the new lock last. Then each directory is moved to its place,
//! and the lock at the end. A run that is interrupted before the new lock is complete leaves the old state, and the next run removes the
//! rest. One that is interrupted later is completed by the next run, without a network.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use super::state::State;
use crate::cli::failure::Failure;
use tidegate_kustomize::vendor::{DIRECTORY, LOCK_FILE, Lock};
use tidegate_model::tree::Tree;

/// Where new files wait, below the directory of vendored files.
const PENDING: &str = ".pending";

/// Returns `true` for a file that waits.
pub(super) fn is_pending(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some(DIRECTORY) && parts.next() == Some(PENDING)
}

/// Writes the directories and files that have changed, and the lock.
pub(super) fn write(root: &Path, state: &State, changed: &BTreeSet<String>) -> Result<(), Failure> {
    let pending = root.join(DIRECTORY).join(PENDING);
    no_link(root, &format!("{DIRECTORY}/{PENDING}"))?;
    prepare(&pending, state, changed).map_err(|error| unwritable(&pending, &error))?;
    complete(root)
}

/// Completes a run that was interrupted after everything new was written, and removes what another one left. Returns `true` if there was
/// one to complete.
pub(super) fn recover(root: &Path) -> Result<bool, Failure> {
    let pending = root.join(DIRECTORY).join(PENDING);
    match fs::symlink_metadata(&pending) {
        Err(_) => return Ok(false),
        Ok(_) if no_link(root, &format!("{DIRECTORY}/{PENDING}")).is_err() => return Ok(false),
        Ok(found) if !found.is_dir() => {
            return Err(Failure::Usage(format!("{} is not a directory; remove it", pending.display())));
        }
        Ok(_) => {}
    }
    if pending.join(LOCK_FILE).is_file() {
        complete(root)?;
        return Ok(true);
    }
    fs::remove_dir_all(&pending).map_err(|error| unwritable(&pending, &error))?;
    Ok(false)
}

fn prepare(pending: &Path, state: &State, changed: &BTreeSet<String>) -> io::Result<()> {
    if pending.exists() {
        fs::remove_dir_all(pending)?;
    }
    fs::create_dir_all(pending)?;
    for directory in changed {
        if let Some(content) = state.tree.files.get(directory) {
            // The file of an application.
            write_file(&pending.join(directory), content)?;
            continue;
        }
        let below = format!("{directory}/");
        fs::create_dir_all(pending.join(directory))?;
        for (path, bytes) in state.tree.files.iter().filter(|(path, _)| path.starts_with(&below)) {
            write_file(&pending.join(path), bytes)?;
        }
        for (path, target) in state.tree.links.iter().filter(|(path, _)| path.starts_with(&below)) {
            link(target, &pending.join(path))?;
        }
    }
    // A lock that is there is complete.
    let lock = pending.join(LOCK_FILE);
    let partial = pending.join("vendor.lock.partial");
    write_file(&partial, state.lock.write().as_bytes())?;
    fs::rename(partial, lock)
}

/// Moves what waits to its place, removes what the new lock does not have, and moves the lock.
fn complete(root: &Path) -> Result<(), Failure> {
    let pending = root.join(DIRECTORY).join(PENDING);
    // A lock that cannot be read has no directories to remove.
    let old = lock_of(root)?.unwrap_or_default();
    let new = lock_of(&pending)?.ok_or_else(|| {
        Failure::Usage(format!("{} is not a lock; remove {}", pending.join(LOCK_FILE).display(), pending.display()))
    })?;
    for entry in old.entries.iter().chain(&new.entries) {
        no_link(root, &entry.directory)?;
    }
    for application in &new.applications {
        no_link(root, &application.file)?;
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| unwritable(&path, &error)
    };
    let kept: BTreeSet<&str> = new.entries.iter().map(|entry| entry.directory.as_str()).collect();
    for entry in old.entries.iter().filter(|entry| !kept.contains(entry.directory.as_str())) {
        let path = root.join(&entry.directory);
        remove(&path).map_err(failed(&path))?;
        remove_empty_parents(root, &path);
    }
    for directory in &kept {
        let (from, to) = (pending.join(directory), root.join(directory));
        if !from.is_dir() {
            continue;
        }
        remove(&to).map_err(failed(&to))?;
        let parent = to.parent().map_or(Ok(()), fs::create_dir_all);
        parent.and_then(|()| fs::rename(&from, &to)).map_err(failed(&to))?;
    }
    for application in &new.applications {
        let (from, to) = (pending.join(&application.file), root.join(&application.file));
        if from.is_file() {
            let parent = to.parent().map_or(Ok(()), fs::create_dir_all);
            parent.and_then(|()| fs::rename(&from, &to)).map_err(failed(&to))?;
        }
    }
    let lock = root.join(LOCK_FILE);
    fs::rename(pending.join(LOCK_FILE), &lock).map_err(failed(&lock))?;
    fs::remove_dir_all(&pending).map_err(failed(&pending))?;
    remove_empty_parents(root, &pending);
    Ok(())
}

/// Refuses a directory that symbolic links lead to: nothing outside of the repository is written or removed.
fn no_link(root: &Path, directory: &str) -> Result<(), Failure> {
    let ends = directory.match_indices('/').map(|(at, _)| at);
    for path in ends.filter_map(|end| directory.get(..end)).map(|above| root.join(above)) {
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Err(Failure::Usage(format!("{} is a symbolic link; remove it", path.display())));
        }
    }
    Ok(())
}

/// Reads the lock of a directory on this machine; `None` if it cannot be used.
fn lock_of(directory: &Path) -> Result<Option<Lock>, Failure> {
    let path = directory.join(LOCK_FILE);
    let mut tree = Tree::default();
    match fs::read(&path) {
        Ok(bytes) => drop(tree.files.insert(LOCK_FILE.to_owned(), bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(unwritable(&path, &error)),
    }
    Ok(Lock::read(&tree).ok())
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = fs::File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "symbolic links are not supported on this system"))
}

/// Removes a directory, a file or a symbolic link, if it is there. Links are not followed.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

/// Removes the directories above a removed one that are empty now.
fn remove_empty_parents(root: &Path, path: &Path) {
    for parent in path.ancestors().skip(1).take_while(|parent| *parent != root && parent.starts_with(root)) {
        if fs::remove_dir(parent).is_err() {
            return;
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("{} cannot be written: {error}; run `tidegate vendor` again when it can", path.display()))
}
