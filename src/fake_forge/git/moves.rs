//! Moves refs by their files, as git does. Git itself does what is not simple: a ref that is packed, or that another program is moving.
//!
//! # Source
//! Git's `gitrepository-layout`, section "refs", and the locks of its `refs/files-backend.c`.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::refs;

/// The lock of a ref. Dropping it releases the ref.
struct Lock {
    file: File,
    /// `None` once it has become the ref.
    path: Option<PathBuf>,
}

impl Lock {
    /// Locks a ref, if it is free.
    fn take(target: &Path) -> Option<Self> {
        let mut path = target.to_owned().into_os_string();
        path.push(".lock");
        let path = PathBuf::from(path);
        let file = File::options().write(true).create_new(true).open(&path).ok()?;
        Some(Self { file, path: Some(path) })
    }

    /// Replaces the ref.
    fn write(mut self, target: &Path, new: &str) -> io::Result<()> {
        self.file.write_all(format!("{new}\n").as_bytes())?;
        match self.path.take() {
            Some(path) => fs::rename(path, target),
            None => Ok(()),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            fs::remove_file(path).ok();
        }
    }
}

/// Sets a ref; if there is an old value, only from that. Returns `false` if nothing was done, and git has to do it.
///
/// # Errors
/// If a file cannot be read or written.
pub(super) fn set(directory: &Path, name: &str, new: &str, old: Option<&str>) -> io::Result<bool> {
    let target = directory.join(name);
    let Some(folder) = target.parent().filter(|_| is_simple(name)) else { return Ok(false) };
    // A ref that is a folder of the name makes this fail.
    if fs::create_dir_all(folder).is_err() || target.is_dir() {
        return Ok(false);
    }
    let Some(lock) = Lock::take(&target) else { return Ok(false) };
    let is_below = |name: &str, of: &str| name.strip_prefix(of).is_some_and(|rest| rest.starts_with('/'));
    // Git allows no ref in the folder of another one.
    if refs::read_packed(directory)?.keys().any(|other| is_below(other, name) || is_below(name, other)) {
        return Ok(false);
    }
    if old.is_some() && refs::target(directory, name)?.as_deref() != old {
        return Ok(false);
    }
    lock.write(&target, new)?;
    Ok(true)
}

/// Removes a ref. Returns `false` if nothing was done, and git has to do it.
///
/// # Errors
/// If a file cannot be read or removed.
pub(super) fn remove(directory: &Path, name: &str) -> io::Result<bool> {
    let target = directory.join(name);
    if !is_simple(name) || !target.is_file() {
        return Ok(false);
    }
    let Some(_lock) = Lock::take(&target) else { return Ok(false) };
    if refs::read_packed(directory)?.contains_key(name) {
        return Ok(false);
    }
    fs::remove_file(&target)?;
    Ok(true)
}

/// Returns `true` if git would accept a name without a doubt.
fn is_simple(name: &str) -> bool {
    let is_plain = |part: &str| {
        let has_wrong_end = part.starts_with('.') || part.ends_with('.') || part.ends_with(".lock");
        !part.is_empty() && !has_wrong_end && !part.contains("..") && !part.starts_with('-')
    };
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "/._-+#".contains(c);
    name.starts_with("refs/") && name.split('/').all(is_plain) && name.chars().all(is_allowed)
}
