//! The state directory of a mirror: its lock, its repository, and the leftovers of killed processes.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use gix::ThreadSafeRepository;

use crate::Error;

/// The directory of the repository inside the state directory. The state directory itself may be a mounted volume, which
/// cannot be renamed into place.
const REPOSITORY: &str = "mirror.git";

/// A file inside the repository that shows that Tidegate created it and may delete it.
const MARKER: &str = "tidegate-mirror";

/// The content of the marker, for a person who finds it.
const MARKER_TEXT: &str = "Tidegate made this copy of a remote repository, and deletes it when it is damaged.\n";

/// Returns the path of the repository in a state directory.
pub(crate) fn path(dir: &Path) -> PathBuf {
    dir.join(REPOSITORY)
}

/// Locks the state directory, creating it if it does not exist.
///
/// The lock is held until the returned file is dropped or the process ends, in whatever way.
pub(crate) fn lock(dir: &Path) -> Result<File, Error> {
    let failed = |source: io::Error| Error::Open { dir: dir.to_owned(), source: gix::Error::from_error(source) };
    std::fs::create_dir_all(dir).map_err(failed)?;
    let lock = File::create(lock_path(dir)).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Error::InUse { dir: dir.to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

pub(crate) fn lock_path(dir: &Path) -> PathBuf {
    dir.join("lock")
}

/// Locks the state directory and opens the repository in it, creating both if they do not exist. A damaged repository is
/// deleted and recreated, because everything in it can be fetched again.
///
/// # Errors
/// [`Error::Open`] if the directory cannot be used, [`Error::Foreign`] if the path of the repository holds something
/// that Tidegate did not create, [`Error::InUse`] if another process uses the directory.
pub(crate) fn open(dir: &Path) -> Result<(File, ThreadSafeRepository), Error> {
    let lock = lock(dir)?;
    let failed = |source| Error::Open { dir: dir.to_owned(), source };
    let failed_io = |source: io::Error| failed(gix::Error::from_error(source));
    let path = path(dir);
    remove_stale_ssh_output(dir).map_err(failed_io)?;
    remove_unfinished(dir).map_err(failed_io)?;
    if !path.try_exists().map_err(failed_io)? {
        create(dir, &path).map_err(failed)?;
    }
    if is_complete(&path) {
        remove_stale_locks(&path).map_err(failed_io)?;
        if let Ok(repository) = repository(&path) {
            // A repository that was created before markers existed gets one.
            std::fs::write(path.join(MARKER), MARKER_TEXT).map_err(failed_io)?;
            return Ok((lock, repository));
        }
    }
    let repository = recreate(dir)?;
    tracing::warn!(directory = %dir.display(), "the copy of the repository is damaged; it is deleted and fetched again");
    Ok((lock, repository))
}

/// Deletes the repository and recreates it, empty.
///
/// # Errors
/// As for [`open`].
pub(crate) fn recreate(dir: &Path) -> Result<ThreadSafeRepository, Error> {
    let failed = |source| Error::Open { dir: dir.to_owned(), source };
    let path = path(dir);
    match std::fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(gix::Error::from_error(error))),
        Ok(found) if found.is_dir() && may_be_deleted(&path) => {
            std::fs::remove_dir_all(&path).map_err(|error| failed(gix::Error::from_error(error)))?;
        }
        Ok(_) => return Err(Error::Foreign { path }),
    }
    create(dir, &path).map_err(failed)?;
    repository(&path).map_err(failed)
}

/// Returns `true` if all files that Git needs to recognize a repository are present.
pub(crate) fn is_complete(path: &Path) -> bool {
    let has_text = |name: &str| std::fs::metadata(path.join(name)).is_ok_and(|file| file.is_file() && file.len() > 0);
    ["HEAD", "config"].into_iter().all(has_text) && ["objects", "refs"].into_iter().all(|name| path.join(name).is_dir())
}

/// Returns `true` for a directory that Tidegate may delete: one with its marker, an empty one, or the remains of a
/// repository that was deleted while it was in use.
fn may_be_deleted(path: &Path) -> bool {
    const LEFTOVERS: [&str; 5] = ["objects", "refs", "packed-refs", "shallow", "logs"];
    if path.join(MARKER).is_file() {
        return true;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return false };
    let is_leftover = |name: &str| LEFTOVERS.contains(&name) || name.starts_with("shallow.");
    entries.into_iter().all(|entry| entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(is_leftover)))
}

/// Opens the repository in a directory that only Tidegate writes to.
pub(crate) fn repository(path: &Path) -> gix::Result<ThreadSafeRepository> {
    options().strict_config(true).open_path_as_is(true).open(path)
}

/// Returns options that read only the repository's own configuration.
///
/// The directory is trusted regardless of its owner: a volume in a cluster often belongs to another user.
pub(crate) fn options() -> gix::open::Options {
    gix::open::Options::isolated().with(gix::sec::Trust::Full)
}

/// The start of the name of a directory in which a repository is created.
const UNFINISHED: &str = "mirror.git.new-";

/// Removes what processes left behind that were killed while they created the repository.
fn remove_unfinished(dir: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED)) && entry.file_type()?.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Creates the repository in a temporary directory and moves it into place, so that a process killed midway leaves no
/// partial one.
fn create(dir: &Path, path: &Path) -> gix::Result<()> {
    let temporary = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(dir).map_err(gix::Error::from_error)?;
    ThreadSafeRepository::init_opts(
        temporary.path(),
        gix::create::Kind::Bare,
        gix::create::Options::default(),
        options(),
    )?;
    std::fs::write(temporary.path().join(MARKER), MARKER_TEXT).map_err(gix::Error::from_error)?;
    std::fs::rename(temporary.path(), path).map_err(gix::Error::from_error)
}

/// Removes lock files of refs. A killed process leaves them behind, and they would block every later write.
///
/// The holder of the lock on the state directory is the only user, so none of them can belong to a running process.
fn remove_stale_locks(repository: &Path) -> io::Result<()> {
    let mut folders = vec![repository.join("refs")];
    let mut locks = vec![repository.join("packed-refs.lock"), repository.join("HEAD.lock")];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if entry.path().extension().is_some_and(|extension| extension == "lock") {
                locks.push(entry.path());
            }
        }
    }
    locks.into_iter().try_for_each(|lock| match std::fs::remove_file(lock) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    })
}

/// Removes output files of `ssh` that a killed process left behind.
fn remove_stale_ssh_output(dir: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name().to_string_lossy().starts_with("ssh-") {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
