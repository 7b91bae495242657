//! Chains of `&&` and `||`, which become balanced trees.

use super::tree::{Kind, NodeId, Tree};

/// The terms of a chain.
pub(super) struct Terms {
    function: &'static str,
    first: Option<NodeId>,
    /// The further terms, each with the offset of the operator before it.
    more: Vec<(usize, NodeId)>,
}

impl Terms {
    pub(super) fn new(function: &'static str) -> Self {
        Self { function, first: None, more: Vec::new() }
    }

    pub(super) fn first(&mut self, term: NodeId) {
        self.first = Some(term);
    }

    pub(super) fn add(&mut self, at: usize, term: NodeId) {
        self.more.push((at, term));
    }

    /// Joins the terms into a tree. The middle operator becomes the root, and so on recursively.
    pub(super) fn join(self, tree: &mut Tree) -> NodeId {
        let Some(first) = self.first else { return Tree::BROKEN };
        join(self.function, first, &self.more, tree)
    }
}

/// Joins a term and the terms after it. The depth is logarithmic in their number.
fn join(function: &'static str, first: NodeId, more: &[(usize, NodeId)], tree: &mut Tree) -> NodeId {
    let (before, rest) = more.split_at(more.len() / 2);
    let [(at, middle), after @ ..] = rest else { return first };
    let left = join(function, first, before, tree);
    let right = join(function, *middle, after, tree);
    tree.add(Kind::Call { function: function.into(), target: None, args: vec![left, right] }, Some(*at))
}
