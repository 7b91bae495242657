//! The types bound to type parameters, as far as an expression determines them.

use std::cell::Cell;
use std::collections::HashMap;

use super::value::{Param, Type};

/// Maximum number of steps to compare the types of one expression. Bindings that contain others several times can be followed in
/// exponentially many ways; upstream would not end.
const MAX_STEPS: u32 = 5_000_000;
/// Maximum depth to which bindings are followed, so that the stack does not overflow.
const MAX_DEPTH: u32 = 600;

/// The types bound to parameters. A failed trial is rolled back, so that a trial needs no copy.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    bound: HashMap<Param, Type>,
    /// The previous binding for each change of the current trial.
    trail: Vec<(Param, Option<Type>)>,
    steps: Cell<u32>,
}

impl Bindings {
    /// Returns `true` if comparing the types of the expression took too many steps, so that no result is reliable.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.steps.get() >= MAX_STEPS
    }

    /// Counts a step. Returns `true` if there are too many steps, or if the depth is too large.
    fn exhausts(&self, depth: u32) -> bool {
        let steps = if depth > MAX_DEPTH { MAX_STEPS } else { self.steps.get().saturating_add(1) };
        self.steps.set(steps);
        self.is_exhausted()
    }

    fn bind(&mut self, param: Param, to: Type) {
        let before = self.bound.insert(param, to);
        self.trail.push((param, before));
    }

    /// Returns `true` if a value of the second type can be used where the first is wanted, and keeps the resulting bindings.
    pub(crate) fn assign(&mut self, wanted: &Type, given: &Type) -> bool {
        self.assign_all(std::slice::from_ref(wanted), std::slice::from_ref(given))
    }

    /// Like [`assign`](Self::assign) for lists of types, pair by pair; no bindings are kept if one pair does not fit.
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
            (Type::Record(_), Type::Map(_)) => self.fit_all(&[Type::Text, Type::Dyn], b.params(), depth),
            (Type::Map(_), Type::Record(_)) => self.fit_all(a.params(), &[Type::Text, Type::Dyn], depth),
            (Type::Record(_), Type::Record(_)) => a == b,
            _ => a.is_like(b) && self.fit_all(a.params(), b.params(), depth),
        }
    }

    /// Tries to bind a parameter to a type.
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

    /// Returns `true` if a type does not contain a parameter.
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

    /// Returns a type with its parameters replaced by the types bound to them.
    pub(crate) fn substitute(&self, type_: &Type) -> Type {
        self.replace(type_, &Type::Param, 0)
    }

    /// Returns a type with its parameters replaced by the types bound to them, and free parameters by [`Type::Dyn`].
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

/// Whether a type can be bound to a parameter.
enum Fit {
    Yes,
    No,
    /// The parameter is bound to a different type.
    NoLongerFree,
}

/// Returns `true` if `null` can be used where a type is wanted.
fn is_nullable(type_: &Type) -> bool {
    matches!(type_, Type::Null | Type::Optional(_) | Type::Duration | Type::Timestamp | Type::Named(_))
}

/// Returns the more general of two types.
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
