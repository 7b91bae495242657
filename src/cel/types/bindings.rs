//! What the parameters of types stand for, as far as an expression has told.

use std::cell::Cell;
use std::collections::HashMap;

use super::value::{Param, Type};

/// The most steps that are taken to compare the types of one expression. Bindings that hold others several times can be followed
/// in exponentially many ways; upstream would not end.
const MAX_STEPS: u32 = 5_000_000;
/// How deep bindings are followed, so that the stack suffices.
const MAX_DEPTH: u32 = 600;

/// What parameters stand for. A trial that fails is taken back, so that nothing is copied for it.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    bound: HashMap<Param, Type>,
    /// What was bound before each change of the trial that is under way.
    trail: Vec<(Param, Option<Type>)>,
    steps: Cell<u32>,
}

impl Bindings {
    /// Returns `true` if the types of the expression were too much to go through, so that no answer can be relied on.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.steps.get() >= MAX_STEPS
    }

    /// Returns `true` if there are too many steps, or too deep ones.
    fn exhausts(&self, depth: u32) -> bool {
        let steps = if depth > MAX_DEPTH { MAX_STEPS } else { self.steps.get().saturating_add(1) };
        self.steps.set(steps);
        self.is_exhausted()
    }

    fn bind(&mut self, param: Param, to: Type) {
        let before = self.bound.insert(param, to);
        self.trail.push((param, before));
    }

    /// Returns `true` if a value of the second type goes where the first is wanted, and remembers what follows from it.
    pub(crate) fn assign(&mut self, wanted: &Type, given: &Type) -> bool {
        self.assign_all(std::slice::from_ref(wanted), std::slice::from_ref(given))
    }

    /// Says the same of lists of types, pair by pair; nothing is remembered if one pair does not fit.
    pub(crate) fn assign_all(&mut self, wanted: &[Type], given: &[Type]) -> bool {
        self.trail.clear();
        let fits = self.fit_all(wanted, given, 0);
        if !fits {
            for (param, before) in self.trail.drain(..).rev() {
                match before {
                    Some(type_) => drop(self.bound.insert(param, type_)),
                    None => drop(self.bound.remove(&param)),
                }
            }
        }
        fits
    }

    fn fit_all(&mut self, a: &[Type], b: &[Type], depth: u32) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.fit(a, b, depth + 1))
    }

    fn fit(&mut self, a: &Type, b: &Type, depth: u32) -> bool {
        if self.exhausts(depth) {
            return false;
        }
        if let Type::Param(param) = b {
            match self.substitute_fits(a, *param, depth) {
                Fit::Yes => return true,
                Fit::NoLongerFree => return false,
                Fit::No => {}
            }
        }
        if let Type::Param(param) = a {
            return matches!(self.substitute_fits(b, *param, depth), Fit::Yes);
        }
        if a.is_dyn_or_error() || b.is_dyn_or_error() {
            return true;
        }
        match (a, b) {
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            (Type::Meta(_), _) => matches!(b, Type::Meta(_)),
            _ => a.is_like(b) && self.fit_all(a.params(), b.params(), depth),
        }
    }

    /// Returns `true` if a type can stand for a parameter.
    fn substitute_fits(&mut self, type_: &Type, param: Param, depth: u32) -> Fit {
        if *type_ == Type::Param(param) {
            return Fit::Yes;
        }
        let Some(bound) = self.bound.get(&param).cloned() else {
            if !self.is_free_of(param, type_, depth) {
                return Fit::No;
            }
            self.bind(param, type_.clone());
            return Fit::Yes;
        };
        if *type_ == bound {
            return Fit::Yes;
        }
        if !self.fit(type_, &bound, depth + 1) {
            return Fit::NoLongerFree;
        }
        let general = most_general(type_, &bound);
        if self.is_free_of(param, general, depth) {
            let general = general.clone();
            self.bind(param, general);
        }
        Fit::Yes
    }

    /// Returns `true` if a parameter is not part of a type.
    fn is_free_of(&self, param: Param, type_: &Type, depth: u32) -> bool {
        if self.exhausts(depth) {
            return true;
        }
        match type_ {
            Type::Param(other) if *other == param => false,
            Type::Param(other) => self.bound.get(other).is_none_or(|bound| self.is_free_of(param, bound, depth + 1)),
            other => other.params().iter().all(|inner| self.is_free_of(param, inner, depth + 1)),
        }
    }

    /// Returns a type with its parameters replaced by what they stand for.
    pub(crate) fn substitute(&self, type_: &Type) -> Type {
        self.replace(type_, &Type::Param, 0)
    }

    /// Returns a type with its parameters replaced by what they stand for, and those that are still free by [`Type::Dyn`].
    pub(crate) fn resolve(&self, type_: &Type) -> Type {
        self.replace(type_, &|_| Type::Dyn, 0)
    }

    fn replace(&self, type_: &Type, free: &dyn Fn(Param) -> Type, depth: u32) -> Type {
        match type_ {
            _ if self.exhausts(depth) => Type::Dyn,
            Type::Param(param) => match self.bound.get(param) {
                Some(bound) => self.replace(bound, free, depth + 1),
                None => free(*param),
            },
            other if other.params().is_empty() => other.clone(),
            other => {
                other.with_params(other.params().iter().map(|inner| self.replace(inner, free, depth + 1)).collect())
            }
        }
    }
}

/// Whether a type can stand for a parameter.
enum Fit {
    Yes,
    No,
    /// The parameter stands for something else.
    NoLongerFree,
}

/// Returns `true` if `null` goes where a type is wanted.
fn is_nullable(type_: &Type) -> bool {
    matches!(type_, Type::Null | Type::Optional(_) | Type::Duration | Type::Timestamp | Type::Named(_))
}

/// Returns which of two types says less.
pub(crate) fn most_general<'t>(a: &'t Type, b: &'t Type) -> &'t Type {
    if is_equal_or_less_specific(a, b) { a } else { b }
}

fn is_equal_or_less_specific(a: &Type, b: &Type) -> bool {
    if a.is_dyn() || matches!(a, Type::Param(_)) {
        return true;
    }
    if b.is_dyn() || matches!(b, Type::Param(_)) || !a.is_like(b) {
        return false;
    }
    let pairs = || a.params().iter().zip(b.params());
    matches!(a, Type::Meta(_))
        || (a.params().len() == b.params().len() && pairs().all(|(a, b)| is_equal_or_less_specific(a, b)))
}
