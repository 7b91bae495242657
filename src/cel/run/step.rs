//! An expression as it is run.

use super::price::Price;
use crate::library::Callee;
use crate::syntax::Literal;

/// A step: a part of an expression, with its operands below it.
#[derive(Debug)]
pub(crate) enum Step {
    Constant(Literal),
    /// A type, by its name.
    Type(&'static str),
    Attribute(Box<Attribute>),
    /// `&&`, or `||` if the decisive value is true.
    Logic {
        decisive: bool,
        terms: Vec<Step>,
    },
    /// `==`, or `!=` if negated.
    Equals {
        negated: bool,
        sides: Box<[Step; 2]>,
    },
    /// `optional.or(other)`, or `optional.orValue(other)` if unwrapped.
    Otherwise {
        unwrapped: bool,
        sides: Box<[Step; 2]>,
    },
    Call(Box<Call>),
    List {
        items: Vec<Step>,
        optional: Vec<bool>,
    },
    Map {
        entries: Vec<[Step; 2]>,
        optional: Vec<bool>,
    },
    Fold(Box<Loop>),
}

/// A variable or computed value, and what is looked up in it.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(super) root: Root,
    pub(super) qualifiers: Vec<Qualifier>,
    /// Whether the last qualifier only asks whether something is there.
    pub(super) tests: bool,
}

/// Where an attribute begins.
#[derive(Debug)]
pub(crate) enum Root {
    Cluster,
    /// A variable of a loop, by the number of the loop from outside.
    Item(usize),
    /// What a loop collects in.
    Collected(usize),
    Computed(Step),
    Conditional {
        condition: Step,
        yes: Box<Attribute>,
        no: Box<Attribute>,
    },
}

/// What is looked up in a value.
#[derive(Debug)]
pub(crate) struct Qualifier {
    pub(super) by: Key,
    /// Whether nothing there gives an empty optional.
    pub(super) optional: bool,
}

/// By what something is looked up.
#[derive(Debug)]
pub(crate) enum Key {
    Constant(Literal),
    /// By the value of an attribute, which costs nothing by itself.
    Attribute(Box<Attribute>),
}

/// A call of a function.
#[derive(Debug)]
pub(crate) struct Call {
    pub(super) callee: Callee,
    pub(super) args: Vec<Step>,
    pub(super) price: Price,
    /// Whether the function is run on whatever comes, even on what failed.
    pub(super) forgives: bool,
    /// Whether the first argument that fails ends the call before the others are evaluated.
    pub(super) stops: bool,
}

/// A loop.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(super) range: Step,
    pub(super) start: Step,
    pub(super) condition: Step,
    pub(super) step: Step,
    pub(super) result: Step,
}
