//! Unpacks the archive of a chart in memory. An archive is untrusted input: it may try to write elsewhere, or to fill the memory.

use std::collections::BTreeMap;
use std::io::{self, Read};

use flate2::read::GzDecoder;
use tar::{Archive, EntryType};
use tidegate_model::line::brief;

/// Most bytes of all files together.
const TOTAL_BYTES: u64 = 64 << 20;

/// Most bytes of the unpacked archive with its headers and padding, which are more than the files if those are small.
const UNPACKED_BYTES: u64 = 2 * TOTAL_BYTES;

/// Most entries.
const ENTRIES: usize = 10_000;

/// The longest path in bytes.
const PATH_BYTES: usize = 512;

/// Most characters of a message of the library that are repeated.
const LONGEST: usize = 100;

/// An archive that is not accepted: only regular files and directories below one directory are, each name once, and there must be a
/// `Chart.yaml`.
#[derive(Debug, thiserror::Error)]
pub enum InvalidArchive {
    /// It cannot be read.
    #[error("the archive is damaged: {}", brief(&.0.to_string(), LONGEST))]
    Damaged(io::Error),
    /// It has too many entries.
    #[error("it has more than {ENTRIES} files")]
    Entries,
    /// It is too large.
    #[error("its files have more than {} MiB", TOTAL_BYTES >> 20)]
    Size,
    /// The name of an entry is not a string.
    #[error("a path is not UTF-8")]
    NotUtf8,
    /// The name of an entry cannot be used.
    #[error("the path {path:?} {why}")]
    Path {
        /// The start of the name.
        path: String,
        /// What is wrong with it, as the end of a sentence.
        why: &'static str,
    },
    /// An entry cannot be used.
    #[error("{path:?} {why}")]
    Entry {
        /// The path of the entry.
        path: String,
        /// What is wrong with it, as the end of a sentence.
        why: &'static str,
    },
    /// It has more than one directory at the top.
    #[error("it has several directories at the top: {0:?} and {1:?}")]
    Directories(String, String),
    /// It has no `Chart.yaml`.
    #[error("it has no Chart.yaml at the top, so it is not a chart")]
    NoChart,
}

/// Unpacks a chart (`.tgz`), and returns its files, relative to the directory of the chart.
///
/// # Errors
/// [`InvalidArchive`]
pub fn unpack(archive: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, InvalidArchive> {
    let decoder = GzDecoder::new(archive).take(UNPACKED_BYTES);
    let mut archive = Archive::new(decoder);
    let (mut files, mut top, mut total) = (BTreeMap::new(), None::<String>, 0_u64);
    for (at, entry) in archive.entries().map_err(InvalidArchive::Damaged)?.enumerate() {
        let mut entry = entry.map_err(InvalidArchive::Damaged)?;
        if at >= ENTRIES {
            return Err(InvalidArchive::Entries);
        }
        let kind = entry.header().entry_type();
        if matches!(kind, EntryType::XGlobalHeader) {
            continue;
        }
        let path = path(&entry.path_bytes())?;
        let refuse = |why| Err(InvalidArchive::Entry { path: path.clone(), why });
        match kind {
            EntryType::Directory => continue,
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {}
            EntryType::Symlink | EntryType::Link => return refuse("is a link"),
            _ => return refuse("is not a regular file"),
        }
        let Some((directory, file)) = path.split_once('/') else {
            return refuse("is not in the directory of the chart");
        };
        let first = top.get_or_insert_with(|| directory.to_owned());
        if first != directory {
            return Err(InvalidArchive::Directories(first.clone(), directory.to_owned()));
        }
        total = total.saturating_add(entry.size());
        if total > TOTAL_BYTES {
            return Err(InvalidArchive::Size);
        }
        let mut content = Vec::new();
        entry.by_ref().take(TOTAL_BYTES).read_to_end(&mut content).map_err(InvalidArchive::Damaged)?;
        if files.insert(file.to_owned(), content).is_some() {
            return refuse("is there twice");
        }
    }
    let is_below =
        |file: &str| file.match_indices('/').any(|(at, _)| files.contains_key(file.get(..at).unwrap_or_default()));
    if let Some(file) = files.keys().find(|file| is_below(file)) {
        return Err(InvalidArchive::Entry { path: file.clone(), why: "is below a file" });
    }
    if !files.contains_key("Chart.yaml") {
        return Err(InvalidArchive::NoChart);
    }
    Ok(files)
}

/// Returns a path without `.` components.
fn path(bytes: &[u8]) -> Result<String, InvalidArchive> {
    let text = std::str::from_utf8(bytes).map_err(|_| InvalidArchive::NotUtf8)?;
    let refuse = |why| Err(InvalidArchive::Path { path: text.chars().take(80).collect(), why });
    if bytes.len() > PATH_BYTES {
        return refuse("is too long");
    }
    if text.starts_with('/') || text.contains(['\\', ':']) || text.chars().any(char::is_control) {
        return refuse("is not a relative path");
    }
    let parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return refuse("leads out of the archive");
    }
    Ok(parts.join("/"))
}
