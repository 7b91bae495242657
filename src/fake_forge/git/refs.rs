//! The refs of a bare repository, read from its files. A `git` process for each request would take most of the time of a test.
//!
//! # Source
//! Git's `gitrepository-layout`, sections "refs", "packed-refs" and "HEAD".

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;

const BRANCHES: &str = "refs/heads/";

/// The refs of a repository at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Refs {
    /// The content of `HEAD`.
    head: String,
    /// The object of each ref, by its full name.
    targets: BTreeMap<String, String>,
}

impl Refs {
    /// Reads the refs of a bare repository. Symbolic refs other than `HEAD` are left out: the forge has none.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn read(directory: &Path) -> io::Result<Self> {
        let head = text(&directory.join("HEAD"))?.unwrap_or_default();
        // As in git, loose refs come first, in time and in rank: packing a ref writes the packed one before it removes the loose one.
        let mut loose = BTreeMap::new();
        add_loose(&directory.join("refs"), "refs/", &mut loose)?;
        let mut targets = read_packed(directory)?;
        targets.append(&mut loose);
        Ok(Self { head, targets })
    }
}

/// Returns the branches, without `refs/heads/`, and their commits.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn branches(directory: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut loose = BTreeMap::new();
    add_loose(&directory.join(BRANCHES), BRANCHES, &mut loose)?;
    let mut targets = read_packed(directory)?;
    targets.append(&mut loose);
    let after = targets.range(BRANCHES.to_owned()..);
    Ok(after.map_while(|(name, id)| Some((name.strip_prefix(BRANCHES)?.to_owned(), id.clone()))).collect())
}

/// Returns the object of a ref.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn target(directory: &Path, name: &str) -> io::Result<Option<String>> {
    // A client may send any name.
    if name.contains("..") {
        return Ok(None);
    }
    let loose = text(&directory.join(name))?;
    match loose.map(|loose| loose.trim_end().to_owned()).filter(|id| is_id(id)) {
        Some(id) => Ok(Some(id)),
        None => Ok(read_packed(directory)?.remove(name)),
    }
}

/// Returns the packed refs.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn read_packed(directory: &Path) -> io::Result<BTreeMap<String, String>> {
    Ok(packed(&text(&directory.join("packed-refs"))?.unwrap_or_default()))
}

/// Returns `true` if a string is the full id of an object.
pub(crate) fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Adds the refs of a directory, whose names start with `prefix`.
fn add_loose(directory: &Path, prefix: &str, to: &mut BTreeMap<String, String>) -> io::Result<()> {
    // Git removes directories that have become empty.
    let Some(entries) = existing(std::fs::read_dir(directory))? else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Some(kind) = existing(entry.file_type())? else { continue };
        let full = format!("{prefix}{name}");
        if kind.is_dir() {
            add_loose(&entry.path(), &format!("{full}/"), to)?;
        } else if !name.ends_with(".lock") {
            let content = text(&entry.path())?.unwrap_or_default();
            to.extend(Some(content.trim_end()).filter(|id| is_id(id)).map(|id| (full, id.to_owned())));
        }
    }
    Ok(())
}

/// Returns the refs of a `packed-refs` file. Lines that start with `#` or `^` are comments and the commits of tags.
fn packed(text: &str) -> BTreeMap<String, String> {
    let refs = text.lines().filter_map(|line| line.split_once(' '));
    refs.filter(|(id, _)| is_id(id)).map(|(id, name)| (name.to_owned(), id.to_owned())).collect()
}

/// Returns the content of a file, if there is one. A ref may be removed, or become a directory, at any time.
fn text(path: &Path) -> io::Result<Option<String>> {
    let bytes = existing(std::fs::read(path))?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn existing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error)
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
