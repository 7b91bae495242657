//! Limits how much is read from all files of a revision together.

use std::cell::Cell;

/// Maximum number of nodes of a revision. Fifty thousand clusters with a file each need half of it.
pub const MAX_NODES: usize = 3_000_000;

/// The nodes that the files of a revision may still have: keys, values, and what aliases copy. A node takes up to 300 bytes of memory, so
/// the size of a file does not limit what it needs.
#[derive(Debug)]
pub struct NodeBudget {
    most: usize,
    used: Cell<usize>,
}

/// A revision with more nodes than its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the files of this revision have more than {most} YAML nodes (keys and values) up to here, and no more are read; use fewer or \
     smaller files"
)]
pub(crate) struct Exceeded {
    most: usize,
}

impl Default for NodeBudget {
    /// Returns the budget of a revision that is followed.
    fn default() -> Self {
        Self::new(MAX_NODES)
    }
}

impl NodeBudget {
    /// Creates an unused budget of at most this many nodes.
    pub fn new(most: usize) -> Self {
        Self { most, used: Cell::new(0) }
    }

    /// Returns the number of nodes that were read.
    pub fn used(&self) -> usize {
        self.used.get()
    }

    /// Returns `true` if more nodes were asked for than the budget has. Then, what was read is incomplete.
    pub fn is_exceeded(&self) -> bool {
        self.used.get() > self.most
    }

    /// Takes nodes from the budget.
    ///
    /// # Errors
    /// [`Exceeded`] if there are not enough left.
    pub(crate) fn take(&self, nodes: usize) -> Result<(), Exceeded> {
        self.used.set(self.used.get().saturating_add(nodes));
        if self.is_exceeded() { Err(Exceeded { most: self.most }) } else { Ok(()) }
    }
}
