//! What names and calls refer to.

use std::collections::BTreeMap;

use crate::library::{Declared, Overload};
use crate::syntax::{Name, NodeId};
use crate::types::Type;

/// What a node of an expression refers to.
#[derive(Debug, Default)]
pub(crate) enum Reference {
    /// Nothing that had to be resolved.
    #[default]
    None,
    /// The cluster.
    Cluster,
    /// A variable of a rule, which may be an optional.
    Variable {
        /// Its name.
        name: Name,
        /// Whether it is an optional.
        optional: bool,
    },
    /// A variable of a loop.
    Local(Name),
    /// A type, by its name.
    Type(&'static str),
    /// A named number.
    Int(i64),
    /// A function.
    Call(Box<Call>),
}

/// The variables of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Variables<'v> {
    /// The cluster.
    Cluster,
    /// A value of an object, and its previous value.
    Rule {
        /// Whether the previous value is an optional.
        optional: bool,
    },
    /// Maps with these names.
    Named(&'static [&'static str]),
    /// Values of any type with these names.
    Values(&'static [&'static str]),
    /// Values of these types.
    Typed(&'v BTreeMap<Name, Type>),
}

/// What a call refers to.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) declared: &'static Declared,
    /// The overloads that fit the types of the arguments.
    pub(crate) overloads: Vec<&'static Overload>,
    /// Whether the receiver is an argument. If not, it is part of the name of the function.
    pub(crate) receives: bool,
}

/// The result of a check.
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

    /// Returns the type of a node.
    pub(crate) fn type_of(&self, id: NodeId) -> &Type {
        self.types.get(id.index()).unwrap_or(&Type::Dyn)
    }
}

impl Checked {
    /// Returns the names of the variables to which the expression refers, some of them several times.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &Name> {
        self.references.iter().filter_map(|reference| match reference {
            Reference::Variable { name, .. } => Some(name),
            _ => None,
        })
    }
}
