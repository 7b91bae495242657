//! The walk over the files of a commit, which is hostile until checked.
//!
//! A few kilobytes of Git objects can describe billions of files, since a tree may hold the same subtree many times.
//! So everything that is visited counts towards the limits, whether it is kept or not.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::objs::tree::{EntryKind, EntryMode, EntryRef};

use tidegate_model::tree::Tree;

/// How much of one commit is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most entries that are visited: files, directories and what is skipped.
    pub entries: usize,
    /// The most bytes in all files together.
    pub bytes: u64,
    /// The most bytes in one file.
    pub file_bytes: u64,
}

impl Default for Limits {
    /// Returns room for ten thousand clusters with ten files each, in at most 256 MiB, none larger than 16 MiB: that is
    /// ten times what the hub takes as one object, so that a file may hold many.
    fn default() -> Self {
        Self { entries: 100_000, bytes: 256 << 20, file_bytes: 16 << 20 }
    }
}

/// The deepest nesting of directories that is followed; the paths of sane repositories are a tenth of it.
pub(super) const DEPTH: usize = 100;

/// The longest path that a symbolic link may hold.
const LINK_BYTES: u64 = 1024;

/// How a file begins whose content is kept elsewhere, and the size that no such file reaches.
///
/// # Source
/// The specification of Git LFS, section "The Pointer".
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
const LFS_POINTER_BYTES: u64 = 1024;

/// One walk, with what it has found.
pub(super) struct Walk<'a> {
    repository: &'a gix::Repository,
    limits: Limits,
    found: Tree,
    entries: usize,
    bytes: u64,
}

/// Whether there is room for more.
#[derive(PartialEq)]
enum Room {
    Left,
    Full,
}

impl<'a> Walk<'a> {
    /// Prepares a walk that has found nothing.
    pub(super) fn new(repository: &'a gix::Repository, limits: Limits) -> Self {
        Self { repository, limits, found: Tree::default(), entries: 0, bytes: 0 }
    }

    /// Reads all files below a directory, depth first, in Git's order.
    pub(super) fn below(mut self, path: String, directory: ObjectId) -> gix::Result<Tree> {
        let mut waiting = vec![(path, directory, 0)];
        while let Some((path, directory, depth)) = waiting.pop() {
            let tree = self.repository.find_tree(directory)?;
            let mut directories = Vec::new();
            for entry in tree.decode()?.entries {
                let (name, mode) = (entry.filename, entry.mode);
                let path = joined(&path, &name.to_str_lossy());
                self.entries += 1;
                if self.entries > self.limits.entries {
                    self.close(path, format!("there are more than {} files", self.limits.entries));
                    return Ok(self.found);
                }
                if let Some(reason) = refusal(name, mode, depth) {
                    if self.link(&path, entry)? == Room::Full {
                        return Ok(self.found);
                    }
                    self.found.skipped.insert(path, reason.to_owned());
                } else if mode.is_tree() {
                    directories.push((path, entry.oid.to_owned(), depth + 1));
                } else if self.file(path, entry.oid.to_owned())? == Room::Full {
                    return Ok(self.found);
                }
            }
            waiting.extend(directories.into_iter().rev());
        }
        Ok(self.found)
    }

    fn file(&mut self, path: String, id: ObjectId) -> gix::Result<Room> {
        let file_bytes = self.limits.file_bytes;
        // The header tells the size without unpacking the content.
        let size = self.repository.find_header(id)?.size();
        if size > file_bytes {
            let reason = format!("the file has {size} bytes, more than the {file_bytes} that are read");
            self.found.skipped.insert(path, reason);
            return Ok(Room::Left);
        }
        if self.take(&path, size) == Room::Full {
            return Ok(Room::Full);
        }
        let content = self.repository.find_blob(id)?.take_data();
        if size < LFS_POINTER_BYTES && content.starts_with(LFS_POINTER) {
            let reason = "it is a pointer to a file in Git LFS, and LFS is not fetched".to_owned();
            self.found.skipped.insert(path, reason);
        } else {
            self.found.files.insert(path, content);
        }
        Ok(Room::Left)
    }

    /// Notes where a symbolic link leads to.
    fn link(&mut self, path: &str, entry: EntryRef<'_>) -> gix::Result<Room> {
        if !entry.mode.is_link() {
            return Ok(Room::Left);
        }
        let size = self.repository.find_header(entry.oid)?.size();
        if size > LINK_BYTES {
            return Ok(Room::Left);
        }
        if self.take(path, size) == Room::Full {
            return Ok(Room::Full);
        }
        let target = self.repository.find_blob(entry.oid)?.take_data();
        self.found.links.extend(String::from_utf8(target).ok().map(|target| (path.to_owned(), target)));
        Ok(Room::Left)
    }

    /// Takes the bytes of a file out of what is left of them.
    fn take(&mut self, path: &str, size: u64) -> Room {
        self.bytes = self.bytes.saturating_add(size);
        if self.bytes <= self.limits.bytes {
            return Room::Left;
        }
        self.close(path.to_owned(), format!("the files have more than {} bytes together", self.limits.bytes));
        Room::Full
    }

    fn close(&mut self, path: String, why: String) {
        self.found.skipped.insert(path, format!("{why}: this one and all that come after it are left out"));
    }
}

/// Returns `true` if an entry is a file with content of its own.
pub(super) fn is_regular(mode: EntryMode) -> bool {
    matches!(mode.kind(), EntryKind::Blob | EntryKind::BlobExecutable)
}

/// Returns why an entry is not read, if it is not.
fn refusal(name: &BStr, mode: EntryMode, depth: usize) -> Option<&'static str> {
    // Names that would leave the directory if somebody ever joined them to a path.
    let unsafe_name = matches!(name.as_bytes(), b"" | b"." | b"..") || name.find_byteset(b"/\\\0").is_some();
    match mode.kind() {
        EntryKind::Link => Some("it is a symbolic link, and only overlays follow links"),
        EntryKind::Commit => Some("it is a submodule, and submodules are never followed"),
        _ if name.to_str().is_err() => Some("its name is not UTF-8"),
        _ if unsafe_name || name.eq_ignore_ascii_case(b".git") => Some("its name is not safe"),
        EntryKind::Tree if depth >= DEPTH => Some("it is nested too deeply"),
        EntryKind::Tree | EntryKind::Blob | EntryKind::BlobExecutable => None,
    }
}

fn joined(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}
