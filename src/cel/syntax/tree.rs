//! The tree of an expression.

use std::sync::Arc;

/// A name in an expression.
pub(crate) type Name = Arc<str>;

/// A node of a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// Returns the index of the node in lists that have one entry per node.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    /// A part that could not be parsed.
    Broken,
    /// A constant.
    Literal(Literal),
    /// A variable or type.
    Ident(Name),
    /// `operand.field`, or `has(operand.field)`.
    Select { operand: NodeId, field: Name, test: bool },
    /// A call of a function or operator, with or without a receiver.
    Call { function: Name, target: Option<NodeId>, args: Vec<NodeId> },
    /// A list, and which of its items are optional.
    List { items: Vec<NodeId>, optional: Vec<bool> },
    /// A map.
    Map { entries: Vec<Entry> },
    /// A message of a type, with the values of its fields.
    Message { name: Name, values: Vec<NodeId> },
    /// A loop over a list or the keys of a map.
    Fold(Box<Fold>),
}

/// A constant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Arc<str>),
    Bytes(Arc<[u8]>),
}

/// An entry of a map.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: NodeId,
    pub(crate) value: NodeId,
    pub(crate) optional: bool,
}

/// A loop: the expansion of a macro such as `exists`.
#[derive(Debug, Clone)]
pub(crate) struct Fold {
    pub(crate) range: NodeId,
    pub(crate) variable: Name,
    pub(crate) accumulator: Name,
    pub(crate) start: NodeId,
    pub(crate) condition: NodeId,
    pub(crate) step: NodeId,
    pub(crate) result: NodeId,
}

/// Names of the operators as functions.
pub(crate) mod operator {
    pub(crate) const CONDITIONAL: &str = "_?_:_";
    pub(crate) const AND: &str = "_&&_";
    pub(crate) const OR: &str = "_||_";
    pub(crate) const NOT: &str = "!_";
    pub(crate) const EQUALS: &str = "_==_";
    pub(crate) const NOT_EQUALS: &str = "_!=_";
    pub(crate) const LESS: &str = "_<_";
    pub(crate) const LESS_EQUALS: &str = "_<=_";
    pub(crate) const GREATER: &str = "_>_";
    pub(crate) const GREATER_EQUALS: &str = "_>=_";
    pub(crate) const ADD: &str = "_+_";
    pub(crate) const SUBTRACT: &str = "_-_";
    pub(crate) const MULTIPLY: &str = "_*_";
    pub(crate) const DIVIDE: &str = "_/_";
    pub(crate) const MODULO: &str = "_%_";
    pub(crate) const NEGATE: &str = "-_";
    pub(crate) const INDEX: &str = "_[_]";
    pub(crate) const OPTIONAL_INDEX: &str = "_[?_]";
    pub(crate) const OPTIONAL_SELECT: &str = "_?._";
    pub(crate) const IN: &str = "@in";
    pub(crate) const NOT_STRICTLY_FALSE: &str = "@not_strictly_false";
}

/// A node, with its offset and the depth of the tree below it.
#[derive(Debug)]
struct Node {
    kind: Kind,
    at: Option<usize>,
    depth: u32,
}

/// Maximum nesting depth of operators and members.
pub(super) const MAX_DEPTH: u32 = 250;
/// Maximum number of nodes.
const MAX_NODES: usize = 500_000;

/// The tree of an expression, with all nodes in one list.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: vec![Node { kind: Kind::Broken, at: None, depth: 0 }] }
    }
}

impl Tree {
    /// The node for a part that could not be parsed.
    pub(crate) const BROKEN: NodeId = NodeId(0);

    /// Adds a node, with its offset in the source text.
    pub(crate) fn add(&mut self, kind: Kind, at: Option<usize>) -> NodeId {
        let depth = self.depth_below(&kind);
        // A source text of 100,000 characters has no more nodes than fit.
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { kind, at, depth });
        id
    }

    pub(crate) fn kind(&self, id: NodeId) -> &Kind {
        self.nodes.get(id.index()).map_or(&Kind::Broken, |node| &node.kind)
    }

    pub(crate) fn at(&self, id: NodeId) -> Option<usize> {
        self.nodes.get(id.index()).and_then(|node| node.at)
    }

    /// Iterates over all nodes, in order of creation.
    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the depth of the tree below a node, counting only the nodes that upstream counts.
    pub(crate) fn depth(&self, id: NodeId) -> u32 {
        self.nodes.get(id.index()).map_or(0, |node| node.depth)
    }

    fn depth_below(&self, kind: &Kind) -> u32 {
        let deepest = |ids: &[NodeId]| ids.iter().map(|id| self.depth(*id)).max().unwrap_or(0);
        match kind {
            Kind::Broken | Kind::Literal(_) | Kind::Ident(_) => 0,
            Kind::Select { operand, .. } => 1 + self.depth(*operand),
            Kind::Call { function, target, args } => {
                let counts = !matches!(&**function, operator::AND | operator::OR | operator::NOT | operator::NEGATE)
                    && (target.is_some() || function.contains('_'));
                u32::from(counts) + deepest(args).max(target.map_or(0, |target| self.depth(target)))
            }
            Kind::List { items, .. } => deepest(items),
            Kind::Map { entries } => {
                entries.iter().map(|entry| self.depth(entry.key).max(self.depth(entry.value))).max().unwrap_or(0)
            }
            Kind::Message { values, .. } => deepest(values),
            Kind::Fold(fold) => 1 + deepest(&[fold.range, fold.step, fold.result]),
        }
    }

    /// Returns `true` if the expression has too many nodes. Chained macros that copy their targets grow exponentially.
    pub(crate) fn is_too_large(&self) -> bool {
        self.nodes.len() > MAX_NODES
    }

    /// Returns a copy of a node and everything below it, or the node itself if the expression will be rejected anyway.
    pub(crate) fn copied(&mut self, id: NodeId) -> NodeId {
        if self.is_too_large() || self.depth(id) > MAX_DEPTH { id } else { self.copy(id) }
    }

    fn copy(&mut self, id: NodeId) -> NodeId {
        let kind = match self.kind(id).clone() {
            kind @ (Kind::Broken | Kind::Literal(_) | Kind::Ident(_)) => kind,
            Kind::Select { operand, field, test } => Kind::Select { operand: self.copy(operand), field, test },
            Kind::Call { function, target, args } => {
                let target = target.map(|target| self.copy(target));
                Kind::Call { function, target, args: self.copy_all(args) }
            }
            Kind::List { items, optional } => Kind::List { items: self.copy_all(items), optional },
            Kind::Map { entries } => Kind::Map { entries: self.copy_entries(entries) },
            Kind::Message { name, values } => Kind::Message { name, values: self.copy_all(values) },
            Kind::Fold(fold) => Kind::Fold(self.copy_fold(*fold)),
        };
        self.add(kind, self.at(id))
    }

    fn copy_all(&mut self, ids: Vec<NodeId>) -> Vec<NodeId> {
        ids.into_iter().map(|id| self.copy(id)).collect()
    }

    fn copy_entries(&mut self, entries: Vec<Entry>) -> Vec<Entry> {
        let copy =
            |Entry { key, value, optional }: Entry| Entry { key: self.copy(key), value: self.copy(value), optional };
        entries.into_iter().map(copy).collect()
    }

    fn copy_fold(&mut self, fold: Fold) -> Box<Fold> {
        Box::new(Fold {
            range: self.copy(fold.range),
            start: self.copy(fold.start),
            condition: self.copy(fold.condition),
            step: self.copy(fold.step),
            result: self.copy(fold.result),
            ..fold
        })
    }
}
