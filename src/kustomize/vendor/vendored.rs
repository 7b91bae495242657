//! The lock of a tree, read when it is first needed.

use std::collections::HashMap;

use super::LOCK_FILE;
use super::lock::Lock;
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::tree::Tree;

/// A lock with problems, of which the first one is shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{LOCK_FILE} cannot be used: {}", first.as_ref().map(ToString::to_string).unwrap_or_default())]
pub(super) struct UnusableLock {
    first: Option<Diagnostic>,
}

/// The lock, as far as it was needed, and the results of its checks.
#[derive(Debug, Default)]
pub(crate) struct Vendored {
    /// The lock, or why it cannot be used.
    pub(super) lock: Option<Result<Lock, UnusableLock>>,
    /// Why a vendored directory cannot be used, or `None` if it can, by its path.
    pub(super) checked: HashMap<String, Option<String>>,
}

impl Vendored {
    /// Returns the lock of a tree, or why it cannot be used.
    pub(super) fn lock(&mut self, tree: &Tree) -> Result<&Lock, UnusableLock> {
        let read = || Lock::read(tree).map_err(|problems| UnusableLock { first: problems.into_iter().next() });
        self.lock.get_or_insert_with(read).as_ref().map_err(Clone::clone)
    }
}
