//! How much of a revision is read: all of what is followed, and little more than that of a pull request, which anyone may open.

use std::collections::BTreeMap;

use tidegate_git::Limits;
use tidegate_model::tree::Tree;
use tidegate_repository::NodeBudget;

/// The YAML nodes that a pull request may have in addition to the revision that it is compared with.
const MORE_NODES: usize = 500_000;
/// The bytes of files that a pull request may have in addition to that revision.
const MORE_BYTES: u64 = 16 << 20;

/// The size of a revision that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    nodes: usize,
    bytes: u64,
}

impl Size {
    /// Returns the size of files, of which this budget was used.
    pub(super) fn of(tree: &Tree, budget: &NodeBudget) -> Self {
        Self { nodes: budget.used(), bytes: bytes(&tree.files) }
    }
}

/// The room for a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// That of the followed branch.
    Followed,
    /// That of a pull request, which is compared with a revision of this size.
    Pull(Size),
}

impl Room {
    /// Returns the nodes that may be read.
    pub(super) fn nodes(self) -> NodeBudget {
        match self {
            Self::Followed => NodeBudget::default(),
            Self::Pull(base) => NodeBudget::new(base.nodes.saturating_add(MORE_NODES)),
        }
    }

    /// Returns the limits on the files.
    pub(super) fn files(self) -> Limits {
        match self {
            Self::Followed => Limits::default(),
            Self::Pull(base) => Limits { bytes: base.bytes.saturating_add(MORE_BYTES), ..Limits::default() },
        }
    }

    /// Returns why the files of a commit are not used, if reading stopped at a limit.
    pub(super) fn refusal(self, tree: &Tree) -> Option<String> {
        let Limits { entries, bytes, .. } = self.files();
        tree.is_cut.then(|| {
            format!(
                "its commit has more than {entries} files or {bytes} bytes of files, which is the limit for it; make the change smaller, or \
                 split it"
            )
        })
    }
}

fn bytes(files: &BTreeMap<String, Vec<u8>>) -> u64 {
    files.values().map(|bytes| u64::try_from(bytes.len()).unwrap_or(u64::MAX)).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pull_request_may_be_a_little_larger_than_its_base_and_no_more() {
        let tree = Tree { files: [("a.yaml".to_owned(), vec![b'x'; 100])].into(), ..Tree::default() };
        let budget = NodeBudget::default();
        tidegate_repository::load_within(&tree, "", &std::sync::Arc::default(), &budget);
        let room = Room::Pull(Size::of(&tree, &budget));
        assert_eq!(room.files().bytes, 100 + MORE_BYTES);
        assert_eq!(room.refusal(&tree), None);
        let cut = Tree { is_cut: true, ..tree };
        assert!(room.refusal(&cut).unwrap().contains("or 16777316 bytes of files"), "{:?}", room.refusal(&cut));
    }
}
