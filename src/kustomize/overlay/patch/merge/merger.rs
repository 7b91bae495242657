//! The state and the results of a strategic merge.

use super::types::{Field, Keys, Type, Types};
use crate::overlay::patch::Recorder;
use crate::yaml::Node;

/// A merge in progress.
pub(crate) struct Merger<'m, 'p> {
    pub(crate) recorder: &'m mut Recorder<'p>,
    pub(crate) types: &'m Types,
}

/// What a node is merged with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Patch<'a> {
    /// Nothing: the patch does not mention it.
    Nothing,
    /// Itself: it came from the patch, and still contains the patch's directives and nulls.
    Itself,
    /// This node of the patch.
    With(&'a Node),
}

/// The result of merging a node.
#[derive(Debug)]
pub(crate) enum Merged {
    /// The node is removed.
    Gone,
    /// The node stays, including changes inside it.
    Kept,
    /// This node replaces it. It still needs an origin.
    New(Node),
}

/// How the elements of a list are identified.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List<'t> {
    /// The merge keys, or one empty key for lists of strings.
    pub(crate) keys: Keys<'t>,
    /// The type of the elements.
    pub(crate) kind: Option<Type<'t>>,
}

impl<'t> List<'t> {
    /// A list of strings.
    pub(crate) const SET: Self = Self { keys: Keys::SET, kind: None };

    pub(crate) fn element(self) -> Option<Field<'t>> {
        self.kind.map(Field::Object)
    }
}
