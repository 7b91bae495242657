//! The declarations of functions, and which overload a call runs.

use crate::context::{Context, EvalError};
use crate::types::Type;
use crate::value::Value;

/// The implementation of a function. It gets the arguments, with the receiver first.
pub(crate) type Function = for<'a> fn(&mut Context<'_, 'a>, &[Value<'a>]) -> Result<Value<'a>, EvalError>;

/// One row of a library: the name of the function, the ID of the overload, its signature, and its implementation.
///
/// Operators, and functions that evaluate their arguments themselves, are implemented elsewhere.
pub(super) struct Row(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) Option<Function>,
);

/// One overload of a function.
#[derive(Debug)]
pub(crate) struct Overload {
    pub(crate) id: &'static str,
    pub(crate) member: bool,
    pub(crate) args: Vec<Type>,
    /// The letters of its type parameters.
    pub(crate) params: Vec<char>,
    /// Whether it orders numbers of different types.
    pub(crate) orders_numbers: bool,
    pub(crate) result: Type,
    pub(crate) run: Option<Function>,
}

/// A function with its overloads, in the order they are tried.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) name: &'static str,
    pub(crate) overloads: Vec<Overload>,
    /// One implementation for all overloads.
    pub(crate) every: Option<Function>,
}

/// The implementation that a call runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Callee {
    /// One function for all overloads.
    Every(Function),
    /// The one overload that fits the types; the values are still checked, because not all types are known at compile time.
    One(&'static Overload),
    /// The first overload that fits the values.
    First(&'static Declared),
    /// None: no overload of the function has an implementation.
    Nothing,
}

impl Declared {
    /// Returns what a call runs, given the overloads that fit the types.
    pub(crate) fn callee(&'static self, narrowed: &[&'static Overload]) -> Callee {
        if let Some(function) = self.every {
            return Callee::Every(function);
        }
        let bound: Vec<&'static Overload> = self.overloads.iter().filter(|overload| overload.run.is_some()).collect();
        match (narrowed, bound.as_slice()) {
            ([one], _) if one.run.is_some() => Callee::One(one),
            (_, []) => Callee::Nothing,
            (_, [one]) => Callee::One(one),
            _ => Callee::First(self),
        }
    }
}

impl Overload {
    /// Returns `true` if the overload accepts the values.
    pub(crate) fn takes(&self, args: &[Value<'_>]) -> bool {
        self.args.len() == args.len() && self.args.iter().zip(args).all(|(wanted, given)| fits(wanted, given))
    }
}

/// Returns `true` if a value has a type, as far as upstream checks: for lists and maps, it checks only the first item.
fn fits(wanted: &Type, given: &Value<'_>) -> bool {
    match (wanted, wanted.params(), given) {
        (Type::Dyn | Type::Param(_), _, _) => true,
        (Type::List(_), [item], Value::List(list)) => list.get(0).is_none_or(|first| fits(item, &first)),
        (Type::Map(_), [key, value], Value::Map(map)) => map.keys().next().is_none_or(|first| {
            let found = map.find(&first);
            fits(key, &first) && found.is_some_and(|found| fits(value, &found))
        }),
        _ => wanted.name() == given.type_name(),
    }
}
