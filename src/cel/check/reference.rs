//! What names and calls refer to.

use crate::library::{Declared, Overload};
use crate::syntax::{Name, NodeId};
use crate::types::Type;

/// What a node of an expression refers to.
#[derive(Debug, Default)]
pub(crate) enum Reference {
    /// To nothing that had to be looked up.
    #[default]
    None,
    /// To the cluster.
    Cluster,
    /// To a variable of a rule, which may be an optional.
    Variable {
        /// Its name.
        name: &'static str,
        /// Whether it is an optional.
        optional: bool,
    },
    /// To a variable of a loop.
    Local(Name),
    /// To a type, by its name.
    Type(&'static str),
    /// To a named number.
    Int(i64),
    /// To a function.
    Call(Box<Call>),
}

/// Which variables an expression has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variables {
    /// The cluster.
    Cluster,
    /// A value of an object, and what it was before.
    Rule {
        /// Whether the value before is an optional.
        optional: bool,
    },
}

/// What a call refers to.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) declared: &'static Declared,
    /// The overloads that fit the types of the arguments.
    pub(crate) overloads: Vec<&'static Overload>,
    /// Whether the receiver is an argument; otherwise it is part of the name of the function.
    pub(crate) receives: bool,
}

/// What is known of the nodes of an expression.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(super) references: Vec<Reference>,
    pub(super) types: Vec<Type>,
}

impl Checked {
    /// Returns what a node refers to.
    pub(crate) fn reference(&self, id: NodeId) -> &Reference {
        self.references.get(id.index()).unwrap_or(&Reference::None)
    }

    /// Returns the type of what a node stands for.
    pub(crate) fn type_of(&self, id: NodeId) -> &Type {
        self.types.get(id.index()).unwrap_or(&Type::Dyn)
    }
}

impl Checked {
    /// Returns `true` if the value before a change is referred to.
    pub(crate) fn uses_old(&self) -> bool {
        self.references.iter().any(|reference| matches!(reference, Reference::Variable { name: "oldSelf", .. }))
    }
}
