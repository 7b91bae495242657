//! Overload resolution of calls.

use std::collections::HashMap;

use super::checker::Checker;
use super::reference::{Call, Reference};
use crate::library::{self, Declared, Overload};
use crate::syntax::{Kind, NodeId, Tree, operator};
use crate::types::{Param, Type};

impl Checker<'_> {
    pub(super) fn call(&mut self, id: NodeId, function: &str, target: Option<NodeId>, args: &[NodeId]) {
        args.iter().for_each(|arg| self.node(*arg));
        let Some(target) = target else {
            match library::find(function) {
                Some(declared) => self.resolve(id, declared, args, false),
                None => self.undeclared(id, function),
            }
            return;
        };
        let in_namespace = qualified_name(self.tree, target).map(|prefix| format!("{prefix}.{function}"));
        if let Some(declared) = in_namespace.and_then(|name| library::find(&name)) {
            self.resolve(id, declared, args, false);
            return;
        }
        self.node(target);
        let Some(declared) = library::find(function) else {
            self.undeclared(id, function);
            return;
        };
        let all: Vec<NodeId> = std::iter::once(target).chain(args.iter().copied()).collect();
        self.resolve(id, declared, &all, true);
    }

    /// Finds the overloads that fit, and the type of the result.
    fn resolve(&mut self, id: NodeId, declared: &'static Declared, args: &[NodeId], receives: bool) {
        let given: Vec<Type> = args.iter().map(|arg| self.type_of(*arg)).collect();
        let mut fitting = Vec::new();
        let mut result: Option<Type> = None;
        for overload in declared.overloads.iter().filter(|overload| overload.member == receives) {
            if overload.orders_numbers && !self.compares_numbers {
                continue;
            }
            if matches!(declared.name, operator::AND | operator::OR) {
                result = self.logic(args, &given).then_some(Type::Bool);
                if result.is_some() {
                    fitting.push(overload);
                    break;
                }
                // The errors of the terms have already been reported.
                self.set_type(id, Type::Error);
                return;
            }
            let Some(found) = self.fit(overload, &given) else { continue };
            fitting.push(overload);
            result = Some(match result {
                Some(before) if !before.is_dyn() && found != before => Type::Dyn,
                Some(before) => before,
                None => found,
            });
        }
        match result {
            Some(type_) => {
                self.set_type(id, type_);
                self.refer(id, Reference::Call(Box::new(Call { declared, overloads: fitting, receives })));
            }
            None => self.no_overload(id, declared.name, &given, receives),
        }
    }

    /// Checks the terms of a chain of `&&` or `||`.
    fn logic(&mut self, args: &[NodeId], given: &[Type]) -> bool {
        let mut fits = true;
        for (arg, type_) in args.iter().zip(given) {
            if !self.bindings.assign(type_, &Type::Bool) {
                self.mismatch(*arg, &Type::Bool, type_);
                fits = false;
            }
        }
        fits
    }

    /// Returns the result type of an overload if it accepts the arguments.
    fn fit(&mut self, overload: &'static Overload, given: &[Type]) -> Option<Type> {
        if overload.args.len() != given.len() && overload.params.is_empty() {
            return None;
        }
        let fresh: HashMap<char, Type> = overload.params.iter().map(|letter| (*letter, self.free_type())).collect();
        let wanted: Vec<Type> = overload.args.iter().map(|arg| instantiate(arg, &fresh)).collect();
        let fits = self.bindings.assign_all(given, &wanted);
        fits.then(|| self.bindings.substitute(&instantiate(&overload.result, &fresh)))
    }

    fn no_overload(&mut self, id: NodeId, function: &str, given: &[Type], receives: bool) {
        self.set_type(id, Type::Error);
        let shown: Vec<String> = given.iter().map(|type_| self.bindings.resolve(type_).to_string()).collect();
        let applied = match shown.as_slice() {
            [receiver, args @ ..] if receives => format!("{receiver}.({})", args.join(", ")),
            args => format!("({})", args.join(", ")),
        };
        self.problem(id, format!("found no matching overload for '{function}' applied to '{applied}'"));
    }
}

/// Replaces the type parameters of an overload with free types.
fn instantiate(type_: &Type, fresh: &HashMap<char, Type>) -> Type {
    match type_ {
        Type::Param(Param::Declared(letter)) => fresh.get(letter).cloned().unwrap_or(Type::Dyn),
        other if other.params().is_empty() => other.clone(),
        other => other.with_params(other.params().iter().map(|inner| instantiate(inner, fresh)).collect()),
    }
}

/// Returns the dotted name that a node may represent.
fn qualified_name(tree: &Tree, id: NodeId) -> Option<String> {
    match tree.kind(id) {
        Kind::Ident(name) => Some(name.to_string()),
        Kind::Select { operand, field, test: false } => Some(format!("{}.{field}", qualified_name(tree, *operand)?)),
        _ => None,
    }
}
