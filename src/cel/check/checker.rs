//! The traversal of all nodes.

use super::format;
use super::reference::{Checked, Reference, Variables};
use crate::source::Problems;
use crate::syntax::{Kind, Literal, Name, NodeId, Tree, operator};
use crate::types::{Bindings, Param, Type};

/// Finds the types of all nodes, and what they refer to.
///
/// # Errors
/// All type errors.
pub(crate) fn check<'t>(tree: &'t Tree, root: NodeId, variables: Variables<'t>) -> Result<Checked, Problems> {
    let mut checker = Checker {
        tree,
        variables,
        types: vec![Type::Dyn; tree.len()],
        references: std::iter::repeat_with(Reference::default).take(tree.len()).collect(),
        bindings: Bindings::default(),
        scopes: Vec::new(),
        free: 0,
        compares_numbers: false,
        problems: Problems::default(),
    };
    checker.node(root);
    let Checker { mut types, references, bindings, mut problems, .. } = checker;
    types.iter_mut().for_each(|type_| *type_ = bindings.resolve(type_));
    if bindings.is_exhausted() {
        problems.add(None, "the types of the expression are too complex");
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let checked = Checked { references, types };
    format::check(tree, &checked, &mut problems);
    if problems.is_empty() { Ok(checked) } else { Err(problems) }
}

/// The state of a check.
pub(super) struct Checker<'t> {
    pub(super) tree: &'t Tree,
    /// The variables of the expression.
    pub(super) variables: Variables<'t>,
    pub(super) types: Vec<Type>,
    pub(super) references: Vec<Reference>,
    pub(super) bindings: Bindings,
    /// The variables of the surrounding loops, the innermost last.
    pub(super) scopes: Vec<(Name, Type)>,
    free: u32,
    /// Whether numbers of different types can be ordered. As upstream, they can be after the first loop of an expression.
    pub(super) compares_numbers: bool,
    pub(super) problems: Problems,
}

impl Checker<'_> {
    pub(super) fn node(&mut self, id: NodeId) {
        match self.tree.kind(id) {
            Kind::Broken => self.set_type(id, Type::Error),
            Kind::Literal(literal) => self.set_type(id, literal_type(literal)),
            Kind::Ident(name) => self.ident(id, name),
            Kind::Select { operand, field, test } => self.select(id, *operand, field, *test),
            Kind::Call { function, args, .. } if &**function == operator::OPTIONAL_SELECT => {
                let type_ = match args.as_slice() {
                    [operand, field] => self.field(id, *operand, self.constant(*field), true),
                    _ => Type::Error,
                };
                self.set_type(id, type_);
            }
            Kind::Call { function, target, args } => self.call(id, function, *target, args),
            Kind::List { items, optional } => self.list(id, items, optional),
            Kind::Map { entries } => self.map(id, entries),
            Kind::Message { name, .. } => self.message(id, name),
            Kind::Fold(fold) => self.fold(id, fold),
        }
    }

    pub(super) fn problem(&mut self, id: NodeId, message: String) {
        self.problems.add(self.tree.at(id), message);
    }

    pub(super) fn undeclared(&mut self, id: NodeId, name: &str) {
        self.set_type(id, Type::Error);
        self.problem(id, format!("undeclared reference to '{name}' (in container '')"));
    }

    pub(super) fn mismatch(&mut self, id: NodeId, wanted: &Type, given: &Type) {
        self.problem(id, format!("expected type '{wanted}' but found '{given}'"));
    }

    pub(super) fn set_type(&mut self, id: NodeId, type_: Type) {
        if let Some(entry) = self.types.get_mut(id.index()) {
            *entry = type_;
        }
    }

    pub(super) fn type_of(&self, id: NodeId) -> Type {
        self.types.get(id.index()).cloned().unwrap_or(Type::Dyn)
    }

    pub(super) fn refer(&mut self, id: NodeId, reference: Reference) {
        if let Some(entry) = self.references.get_mut(id.index()) {
            *entry = reference;
        }
    }

    /// Creates a parameter that is not bound to a type yet.
    pub(super) fn free_type(&mut self) -> Type {
        let number = self.free;
        self.free += 1;
        Type::Param(Param::Free(number))
    }
}

fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::Text,
        Literal::Bytes(_) => Type::Bytes,
    }
}
