//! Archives whose bytes depend only on what is in them.

use std::io::{self, Write as _};

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

/// A file or a folder of an archive.
pub(crate) struct Entry<'a> {
    /// Its path, without a leading `/`. That of a folder ends with `/`.
    pub(crate) path: &'a str,
    /// Its mode, such as `0o755`.
    pub(crate) mode: u32,
    /// The numeric identifier of its user and its group.
    pub(crate) owner: u64,
    /// Its content; empty for a folder.
    pub(crate) content: &'a [u8],
}

/// Returns a tar archive of the entries, in their order. `seconds` is the time of change of all of them, in seconds after 1970.
pub(crate) fn tar(entries: &[Entry<'_>], seconds: u64) -> io::Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for entry in entries {
        let mut header = Header::new_ustar();
        header.set_entry_type(if entry.path.ends_with('/') { EntryType::Directory } else { EntryType::Regular });
        header.set_mode(entry.mode);
        header.set_uid(entry.owner);
        header.set_gid(entry.owner);
        header.set_mtime(seconds);
        header.set_size(entry.content.len() as u64);
        builder.append_data(&mut header, entry.path, entry.content)?;
    }
    builder.into_inner()
}

/// Compresses bytes. The header of the result has neither a name nor a time.
pub(crate) fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
