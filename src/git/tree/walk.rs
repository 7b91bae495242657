//! Walks the files of a commit, which is untrusted input.
//!
//! A few kilobytes of Git objects can describe billions of files, since a tree may contain the same subtree many times.
//! So everything that is visited counts toward the limits, whether or not it is kept.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::objs::tree::{EntryKind, EntryMode};

use super::entries::{TreeEntry, entries};
use tidegate_model::tree::Tree;

/// Limits on what is read from one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of visited entries: files, directories and skipped entries.
    pub entries: usize,
    /// Maximum size of all files together, in bytes.
    pub bytes: u64,
    /// Maximum size of one file, in bytes.
    pub file_bytes: u64,
}

impl Default for Limits {
    /// Returns room for ten thousand clusters with ten files each, 256 MiB in total. The limit for one file, 16 MiB, is
    /// ten times the size of the largest object that the hub accepts, so that a file may contain many objects.
    fn default() -> Self {
        Self { entries: 100_000, bytes: 256 << 20, file_bytes: 16 << 20 }
    }
}

/// The deepest nesting of directories that is followed; ordinary repositories need a tenth of it.
pub(super) const DEPTH: usize = 100;

/// The maximum length of a symbolic link's target, in bytes.
const LINK_BYTES: u64 = 1024;

/// The start of a Git LFS pointer file, and the size that all pointer files stay below.
///
/// # Source
/// The specification of Git LFS, section "The Pointer".
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
const LFS_POINTER_BYTES: u64 = 1024;

/// A walk and its results so far.
pub(super) struct Walk<'a> {
    repository: &'a gix::Repository,
    limits: Limits,
    found: Tree,
    entries: usize,
    bytes: u64,
}

/// Whether the byte limit allows more.
#[derive(PartialEq)]
enum Budget {
    Left,
    Spent,
}

impl<'a> Walk<'a> {
    /// Creates a walk.
    pub(crate) fn new(repository: &'a gix::Repository, limits: Limits) -> Self {
        Self { repository, limits, found: Tree::default(), entries: 0, bytes: 0 }
    }

    /// Reads all files below a directory, depth first, in Git's order.
    pub(super) fn read_below(mut self, path: String, directory: ObjectId) -> gix::Result<Tree> {
        let mut waiting = vec![(path, directory, 0)];
        while let Some((path, directory, depth)) = waiting.pop() {
            let mut directories = Vec::new();
            for entry in entries(self.repository, directory)? {
                let (name, mode) = (entry.name.as_bstr(), entry.mode);
                let path = join_path(&path, &name.to_str_lossy());
                self.entries += 1;
                if self.entries > self.limits.entries {
                    self.stop_at(path, format!("there are more than {} files", self.limits.entries));
                    return Ok(self.found);
                }
                if let Some(reason) = skip_reason(name, mode, depth) {
                    if self.record_link(&path, &entry)? == Budget::Spent {
                        return Ok(self.found);
                    }
                    self.found.skipped.insert(path, reason.to_owned());
                } else if mode.is_tree() {
                    directories.push((path, entry.id, depth + 1));
                } else if self.file(path, entry.id)? == Budget::Spent {
                    return Ok(self.found);
                }
            }
            waiting.extend(directories.into_iter().rev());
        }
        Ok(self.found)
    }

    fn file(&mut self, path: String, id: ObjectId) -> gix::Result<Budget> {
        let file_bytes = self.limits.file_bytes;
        // The header has the size, so the content need not be unpacked.
        let size = self.repository.find_header(id)?.size();
        if size > file_bytes {
            let reason = format!("the file has {size} bytes, more than the limit of {file_bytes}");
            self.found.skipped.insert(path, reason);
            return Ok(Budget::Left);
        }
        if self.count_bytes(&path, size) == Budget::Spent {
            return Ok(Budget::Spent);
        }
        let content = self.repository.find_blob(id)?.take_data();
        if size < LFS_POINTER_BYTES && content.starts_with(LFS_POINTER) {
            let reason = "it is a pointer to a file in Git LFS, and LFS is not fetched".to_owned();
            self.found.skipped.insert(path, reason);
        } else {
            self.found.files.insert(path, content);
        }
        Ok(Budget::Left)
    }

    /// Records the target of a symbolic link.
    fn record_link(&mut self, path: &str, entry: &TreeEntry) -> gix::Result<Budget> {
        if !entry.mode.is_link() {
            return Ok(Budget::Left);
        }
        let size = self.repository.find_header(entry.id)?.size();
        if size > LINK_BYTES {
            return Ok(Budget::Left);
        }
        if self.count_bytes(path, size) == Budget::Spent {
            return Ok(Budget::Spent);
        }
        let target = self.repository.find_blob(entry.id)?.take_data();
        self.found.links.extend(String::from_utf8(target).ok().map(|target| (path.to_owned(), target)));
        Ok(Budget::Left)
    }

    /// Counts the bytes of a file toward the limit.
    fn count_bytes(&mut self, path: &str, size: u64) -> Budget {
        self.bytes = self.bytes.saturating_add(size);
        if self.bytes <= self.limits.bytes {
            return Budget::Left;
        }
        self.stop_at(path.to_owned(), format!("the files have more than {} bytes in total", self.limits.bytes));
        Budget::Spent
    }

    fn stop_at(&mut self, path: String, why: String) {
        self.found.is_cut = true;
        self.found.skipped.insert(path, format!("{why}: this one and all that come after it are left out"));
    }
}

/// Returns `true` if an entry is a regular file.
pub(super) fn is_regular(mode: EntryMode) -> bool {
    matches!(mode.kind(), EntryKind::Blob | EntryKind::BlobExecutable)
}

/// Returns the reason if an entry is not read.
fn skip_reason(name: &BStr, mode: EntryMode, depth: usize) -> Option<&'static str> {
    // Names that would escape the directory if they were joined to a path.
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

fn join_path(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}
