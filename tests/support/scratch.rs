//! Temporary directories of tests.

use std::env::{temp_dir, var_os};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tempfile::TempDir;

/// The file system in memory of Linux.
const MEMORY: &str = "/dev/shm";

/// The least space that it must have, in bytes. Containers often have only 64 MiB there.
const SPACE: u64 = 1 << 30;

/// Creates a temporary directory: below `TMPDIR` if that is set, or else in memory if there is enough space.
///
/// The tests create and remove a hundred thousand small files. On ext4, a quarter of their time went into finding inodes that were not
/// removed just before.
pub(crate) fn tempdir() -> TempDir {
    static PARENT: LazyLock<PathBuf> = LazyLock::new(|| {
        let is_chosen = var_os("TMPDIR").is_some();
        if !is_chosen && space(Path::new(MEMORY)) >= SPACE { MEMORY.into() } else { temp_dir() }
    });
    tempfile::tempdir_in(&*PARENT).unwrap()
}

/// Returns the free space of a file system in bytes; 0 if it is not writable.
fn space(path: &Path) -> u64 {
    let is_writable = tempfile::tempfile_in(path).is_ok();
    rustix::fs::statvfs(path).map_or(0, |status| if is_writable { status.f_bavail * status.f_frsize } else { 0 })
}
