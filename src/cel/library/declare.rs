//! The table of all functions.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{
    cluster, convert, format, lists, network, operators, optional, quantities, regular, semver, strings, timestamps,
    url,
};
use crate::run::{Context, Fault};
use crate::types::{Param, Type, signature};
use crate::value::Value;

/// The implementation of a function. It gets the arguments, with the receiver first.
pub(crate) type Function = for<'a> fn(&mut Context<'_, 'a>, &[Value<'a>]) -> Result<Value<'a>, Fault>;

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

/// The libraries in upstream's order, which decides the overload that is tried first.
const LIBRARIES: [&[Row]; 14] = [
    operators::ROWS,
    convert::ROWS,
    strings::STANDARD,
    timestamps::ROWS,
    cluster::ROWS,
    optional::ROWS,
    strings::EXTENSION,
    lists::ROWS,
    regular::ROWS,
    url::ROWS,
    quantities::ROWS,
    network::ROWS,
    format::ROWS,
    semver::ROWS,
];

static FUNCTIONS: LazyLock<HashMap<&'static str, Declared>> = LazyLock::new(|| {
    let mut functions: HashMap<&'static str, Declared> = HashMap::new();
    for Row(name, id, text, run) in LIBRARIES.into_iter().flatten() {
        let (args, member, result) = signature(text);
        let declared = functions.entry(name).or_insert_with(|| Declared {
            name,
            overloads: Vec::new(),
            every: operators::every(name),
        });
        let params = letters(&args, &result);
        let orders_numbers = operators::orders_numbers(name, &args);
        declared.overloads.push(Overload { id, member, args, params, orders_numbers, result, run: *run });
    }
    functions
});

/// Returns the letters of the type parameters in a signature.
fn letters(args: &[Type], result: &Type) -> Vec<char> {
    let mut letters = Vec::new();
    let mut rest: Vec<&Type> = args.iter().chain([result]).collect();
    while let Some(type_) = rest.pop() {
        match type_ {
            Type::Param(Param::Declared(letter)) if !letters.contains(letter) => letters.push(*letter),
            other => rest.extend(other.params()),
        }
    }
    letters
}

/// Finds a function by its name.
pub(crate) fn find(name: &str) -> Option<&'static Declared> {
    FUNCTIONS.get(name.strip_prefix('.').unwrap_or(name))
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
