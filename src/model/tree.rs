//! The files of one commit, as Git hands them to the repository loader.

use std::collections::BTreeMap;

/// The files of one commit below the configured path.
///
/// # Shape
/// Keys are paths relative to the root of the repository, with `/` between the parts and no leading `/`.
/// Only regular files are there: symbolic links and submodules are left out and named in [`Tree::skipped`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// Path to content.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What was not read, with the reason, as a person would want to know it.
    pub skipped: BTreeMap<String, String>,
}
