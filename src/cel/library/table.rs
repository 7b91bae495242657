//! The table of all functions.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::declaration::{Declared, Overload, Row};
use super::kubernetes::{lists, named_format, network, quantities, regex, semver, url};
use super::standard::{convert, operators, timestamps};
use super::strings::functions;
use super::{cluster, optional};
use crate::types::{Param, Type, signature};

/// The libraries in upstream's order, which decides the overload that is tried first.
const LIBRARIES: [&[Row]; 14] = [
    operators::ROWS,
    convert::ROWS,
    functions::STANDARD,
    timestamps::ROWS,
    cluster::ROWS,
    optional::ROWS,
    functions::EXTENSION,
    lists::ROWS,
    regex::ROWS,
    url::ROWS,
    quantities::ROWS,
    network::ROWS,
    named_format::ROWS,
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
