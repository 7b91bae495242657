//! Checks constant format strings against the types of their arguments.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 ext/formatting_v2.go, `stringFormatValidatorV2`.

use super::reference::Checked;
use crate::library::{Clause, Sink, walk};
use crate::source::Problems;
use crate::syntax::{Kind, Literal, NodeId, Tree};
use crate::types::Type;

/// Adds the errors in calls of `format` on a constant string with a list literal.
pub(super) fn check(tree: &Tree, checked: &Checked, problems: &mut Problems) {
    for id in tree.ids() {
        let Some((format, args)) = format_call(tree, id) else { continue };
        match walk(format, args.len(), &mut Arguments { tree, checked, args }) {
            Err(Misfit { at, message }) => problems.add(tree.at(at.unwrap_or(id)), message),
            Ok(asked) if args.len() > asked => {
                let given = args.len();
                let message = format!("too many arguments supplied to string.format (expected {asked}, got {given})");
                problems.add(tree.at(id), message);
            }
            Ok(_) => {}
        }
    }
}

fn format_call(tree: &Tree, id: NodeId) -> Option<(&str, &[NodeId])> {
    let Kind::Call { function, target: Some(target), args } = tree.kind(id) else { return None };
    let [list] = args.as_slice() else { return None };
    match (&**function, tree.kind(*target), tree.kind(*list)) {
        ("format", Kind::Literal(Literal::String(format)), Kind::List { items, .. }) => Some((format, items)),
        _ => None,
    }
}

/// The arguments of a call, against which the clauses of its format are checked.
struct Arguments<'t> {
    tree: &'t Tree,
    checked: &'t Checked,
    args: &'t [NodeId],
}

impl Sink for Arguments<'_> {
    type EvalError = Misfit;

    fn plain(&mut self, _: &str) -> Result<(), Misfit> {
        Ok(())
    }

    fn clause(&mut self, clause: Clause, at: usize) -> Result<(), Misfit> {
        self.args.get(at).map_or(Ok(()), |arg| fits(self.tree, self.checked, clause, *arg))
    }
}

/// An error, and the argument that causes it, if any.
struct Misfit {
    at: Option<NodeId>,
    message: String,
}

impl From<String> for Misfit {
    fn from(message: String) -> Self {
        Self { at: None, message }
    }
}

/// Checks that a clause can format an argument.
fn fits(tree: &Tree, checked: &Checked, clause: Clause, arg: NodeId) -> Result<(), Misfit> {
    let type_ = checked.type_of(arg);
    let is_number = matches!(type_, Type::Int | Type::Uint | Type::Double | Type::Dyn);
    let is_integer = matches!(type_, Type::Int | Type::Uint | Type::Dyn);
    let (fits, message) = match clause {
        Clause::Text => return is_text(tree, checked, arg),
        Clause::Decimal => (is_number, "decimal clause can only be used on ints, uints, and doubles"),
        Clause::Fixed(_) => (is_number, "fixed-point clause can only be used on ints, uints, and doubles"),
        Clause::Scientific(_) => (is_number, "scientific clause can only be used on ints, uints, and doubles"),
        Clause::Binary => {
            (is_integer || *type_ == Type::Bool, "only ints, uints, and bools can be formatted as binary")
        }
        Clause::Octal => (is_integer, "octal clause can only be used on ints and uints"),
        Clause::Hexadecimal { .. } => {
            let fits = is_integer || matches!(type_, Type::Text | Type::Bytes);
            (fits, "only ints, uints, bytes, and strings can be formatted as hex")
        }
    };
    if fits { Ok(()) } else { Err(misfit(checked, arg, message)) }
}

fn misfit(checked: &Checked, at: NodeId, message: &str) -> Misfit {
    let given = checked.type_of(at).name();
    Misfit { at: Some(at), message: format!("error during formatting: {message}, was given {given}") }
}

/// Checks that an argument can be formatted as a string, including the items of list and map literals.
fn is_text(tree: &Tree, checked: &Checked, arg: NodeId) -> Result<(), Misfit> {
    if matches!(checked.type_of(arg), Type::Named(_) | Type::Optional(_) | Type::Error | Type::Param(_)) {
        let all = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
        return Err(misfit(checked, arg, &format!("string clause can only be used on {all}")));
    }
    match tree.kind(arg) {
        Kind::List { items, .. } => items.iter().try_for_each(|item| is_text(tree, checked, *item)),
        Kind::Map { entries } => entries.iter().try_for_each(|entry| {
            is_text(tree, checked, entry.key)?;
            is_text(tree, checked, entry.value)
        }),
        _ => Ok(()),
    }
}
