//! The lock of a tree, read when it is first needed.

use std::collections::HashMap;

use super::LOCK_FILE;
use super::lock::Lock;
use tidegate_model::tree::Tree;

/// The lock, as far as it was needed, and the results of its checks.
#[derive(Debug, Default)]
pub(crate) struct Vendored {
    /// The lock, or why it cannot be used.
    pub(super) lock: Option<Result<Lock, String>>,
    /// Why a vendored directory cannot be used, or `None` if it can, by its path.
    pub(super) checked: HashMap<String, Option<String>>,
}

impl Vendored {
    /// Returns the lock of a tree, or why it cannot be used.
    pub(super) fn lock(&mut self, tree: &Tree) -> Result<&Lock, String> {
        let read = || {
            Lock::read(tree).map_err(|problems| {
                let first = problems.first().map(ToString::to_string).unwrap_or_default();
                format!("{LOCK_FILE} cannot be used: {first}")
            })
        };
        self.lock.get_or_insert_with(read).as_ref().map_err(Clone::clone)
    }
}
