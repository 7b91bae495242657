//! The state directory of a mirror: its lock, its repository, and what a killed process leaves behind in it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use gix::ThreadSafeRepository;

use super::Error;

/// The folder of the repository inside the state directory. The directory itself may be a mounted volume, which cannot
/// be renamed into place.
const REPOSITORY: &str = "mirror.git";

/// Locks the state directory and opens the repository in it, making both if they do not exist.
///
/// The lock lasts as long as the returned file and goes with the process, however it ends.
pub(super) fn open(dir: &Path) -> Result<(File, ThreadSafeRepository), Error> {
    let failed = |source| Error::Open { dir: dir.to_owned(), source };
    let failed_io = |source: io::Error| failed(gix::Error::from_error(source));
    std::fs::create_dir_all(dir).map_err(failed_io)?;
    let lock = File::create(dir.join("lock")).map_err(failed_io)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(Error::InUse { dir: dir.to_owned() }),
        Err(TryLockError::Error(source)) => return Err(failed_io(source)),
    }
    let path = dir.join(REPOSITORY);
    if !path.try_exists().map_err(failed_io)? {
        create(dir, &path).map_err(failed)?;
    }
    remove_stale_locks(&path).map_err(failed_io)?;
    remove_stale_words(dir).map_err(failed_io)?;
    Ok((lock, repository(&path).map_err(failed)?))
}

/// Opens the repository in a folder that nobody but Tidegate writes.
pub(super) fn repository(path: &Path) -> gix::Result<ThreadSafeRepository> {
    options().strict_config(true).open_path_as_is(true).open(path)
}

/// Returns options that read no configuration but the repository's own.
///
/// The directory counts as trusted whoever owns it: a volume in a cluster often belongs to another user.
pub(super) fn options() -> gix::open::Options {
    gix::open::Options::isolated().with(gix::sec::Trust::Full)
}

/// Makes the repository aside and moves it into place, so that a process killed midway leaves no half of one.
fn create(dir: &Path, path: &Path) -> gix::Result<()> {
    let aside = tempfile::Builder::new().prefix("new-").tempdir_in(dir).map_err(gix::Error::from_error)?;
    ThreadSafeRepository::init_opts(aside.path(), gix::create::Kind::Bare, gix::create::Options::default(), options())?;
    std::fs::rename(aside.path(), path).map_err(gix::Error::from_error)
}

/// Removes lock files of references, which a killed process leaves and which would block every later write.
///
/// Whoever holds the lock on the state directory is alone, so that none of them can belong to someone at work.
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

/// Removes what programs printed to a process that was killed before it read it.
fn remove_stale_words(dir: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name().to_string_lossy().starts_with("ssh-") {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
