//! The executable form of an expression.

use super::price::Price;
use crate::library::Callee;
use crate::syntax::Literal;

/// A step: a part of an expression with its operands.
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

/// A variable or computed value, and the qualifiers applied to it.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(super) root: Root,
    pub(super) qualifiers: Vec<Qualifier>,
    /// Whether the last qualifier only tests whether something exists.
    pub(super) tests: bool,
}

/// The start of an attribute.
#[derive(Debug)]
pub(crate) enum Root {
    Cluster,
    /// A variable of a loop, by the number of the loop from outside.
    Item(usize),
    /// The collected value of a loop.
    Collected(usize),
    Computed(Step),
    Conditional {
        condition: Step,
        yes: Box<Attribute>,
        no: Box<Attribute>,
    },
}

/// A key to select from a value.
#[derive(Debug)]
pub(crate) struct Qualifier {
    pub(super) by: Key,
    /// Whether a missing value results in an empty optional.
    pub(super) optional: bool,
}

/// The key of a qualifier.
#[derive(Debug)]
pub(crate) enum Key {
    Constant(Literal),
    /// The value of an attribute, which itself costs nothing.
    Attribute(Box<Attribute>),
}

/// A call of a function.
#[derive(Debug)]
pub(crate) struct Call {
    pub(super) callee: Callee,
    pub(super) args: Vec<Step>,
    pub(super) price: Price,
    /// Whether the call is true if an argument fails.
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
