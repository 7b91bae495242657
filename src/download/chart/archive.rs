//! Unpacks the archive of a chart in memory. An archive is untrusted input: it may try to write elsewhere, or to fill the memory.

use std::collections::BTreeMap;
use std::io::Read;

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

/// Unpacks a chart (`.tgz`), and returns its files, relative to the directory of the chart.
///
/// # Errors
/// What is wrong with the archive: only regular files and directories below one directory are accepted, each name once, and there
/// must be a `Chart.yaml`.
pub fn unpack(archive: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let broken = |error: std::io::Error| format!("the archive is damaged: {}", brief(&error.to_string(), LONGEST));
    let decoder = GzDecoder::new(archive).take(UNPACKED_BYTES);
    let mut archive = Archive::new(decoder);
    let (mut files, mut top, mut total) = (BTreeMap::new(), None::<String>, 0_u64);
    for (at, entry) in archive.entries().map_err(broken)?.enumerate() {
        let mut entry = entry.map_err(broken)?;
        if at >= ENTRIES {
            return Err(format!("it has more than {ENTRIES} files"));
        }
        let kind = entry.header().entry_type();
        if matches!(kind, EntryType::XGlobalHeader) {
            continue;
        }
        let path = path(&entry.path_bytes())?;
        match kind {
            EntryType::Directory => continue,
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {}
            EntryType::Symlink | EntryType::Link => return Err(format!("{path:?} is a link")),
            _ => return Err(format!("{path:?} is not a regular file")),
        }
        let Some((directory, file)) = path.split_once('/') else {
            return Err(format!("{path:?} is not in the directory of the chart"));
        };
        if top.get_or_insert_with(|| directory.to_owned()) != directory {
            return Err(format!(
                "it has several directories at the top: {:?} and {directory:?}",
                top.unwrap_or_default()
            ));
        }
        total = total.saturating_add(entry.size());
        if total > TOTAL_BYTES {
            return Err(format!("its files have more than {} MiB", TOTAL_BYTES >> 20));
        }
        let mut content = Vec::new();
        entry.by_ref().take(TOTAL_BYTES).read_to_end(&mut content).map_err(broken)?;
        if files.insert(file.to_owned(), content).is_some() {
            return Err(format!("{path:?} is there twice"));
        }
    }
    let is_below =
        |file: &str| file.match_indices('/').any(|(at, _)| files.contains_key(file.get(..at).unwrap_or_default()));
    if let Some(file) = files.keys().find(|file| is_below(file)) {
        return Err(format!("{file:?} is below a file"));
    }
    if !files.contains_key("Chart.yaml") {
        return Err("it has no Chart.yaml at the top, so it is not a chart".to_owned());
    }
    Ok(files)
}

/// Returns a path without `.` components.
fn path(bytes: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "a path is not UTF-8".to_owned())?;
    let refuse = |why: &str| Err(format!("the path {:?} {why}", text.chars().take(80).collect::<String>()));
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
