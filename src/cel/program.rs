//! Compiled expressions.

use std::collections::BTreeSet;
use std::fmt;

use super::check::{OLD_SELF, Variables, check};
use super::run::{Step, plan};
use super::shape::{Scope, Shape};
use super::source::{Problems, Source};
use super::syntax::{Name, parse};
use super::types::Type;

/// Maximum length of an expression, in characters.
const MAX_LENGTH: usize = 100_000;

/// Stack size for compiling an expression: the compiler is recursive, and upstream accepts expressions 250 levels deep.
const COMPILE_STACK: usize = 16 << 20;

/// A compiled expression.
#[derive(Debug)]
pub struct Program {
    pub(super) step: Step,
    /// The variables that it uses.
    variables: BTreeSet<Name>,
    /// The type of its value.
    type_: Type,
}

/// Why an expression does not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileError {
    /// All errors, as upstream formats them: several lines, with a mark below each position.
    pub message: String,
    /// The first error, on one line.
    pub summary: String,
    /// Line and column of the first error, both from 1.
    pub place: Option<(usize, usize)>,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}

impl Program {
    /// Compiles an expression about a cluster.
    ///
    /// # Errors
    /// The errors in the expression.
    pub fn compile(text: &str) -> Result<Self, CompileError> {
        deeply(|| Self::compile_deeply(text, Variables::Cluster))
    }

    /// Compiles a rule about a value of an object: `self`, and `oldSelf` for the previous value, which may be an optional. Both are
    /// of any type.
    ///
    /// # Errors
    /// The errors in the expression.
    pub fn rule(text: &str, optional_old: bool) -> Result<Self, CompileError> {
        let variables = Variables::Rule { optional: optional_old };
        deeply(|| Self::compile_deeply(text, variables))
    }

    /// Compiles an expression about values with these names. Each is a map with values of any type.
    ///
    /// # Errors
    /// The errors in the expression.
    pub fn about(text: &str, names: &'static [&'static str]) -> Result<Self, CompileError> {
        let variables = Variables::Named(names);
        deeply(|| Self::compile_deeply(text, variables))
    }

    /// Compiles an expression about values of any type with these names.
    ///
    /// # Errors
    /// The errors in the expression.
    pub fn about_values(text: &str, names: &'static [&'static str]) -> Result<Self, CompileError> {
        let variables = Variables::Values(names);
        deeply(|| Self::compile_deeply(text, variables))
    }

    /// Compiles an expression about the values of a scope.
    ///
    /// # Errors
    /// The errors in the expression, among them fields that a value never has.
    pub fn typed(text: &str, scope: &Scope) -> Result<Self, CompileError> {
        let variables = Variables::Typed(&scope.0);
        deeply(|| Self::compile_deeply(text, variables))
    }

    /// Returns the shape of its value.
    pub fn shape(&self) -> Shape {
        Shape::of(&self.type_)
    }

    /// Returns `true` if a rule uses the previous value.
    pub fn uses_old(&self) -> bool {
        self.uses(OLD_SELF)
    }

    /// Returns `true` if it uses the variable with this name.
    pub fn uses(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// Returns `true` if its value may be true. A value of another type than bool, such as a number, never is.
    pub fn may_hold(&self) -> bool {
        matches!(self.type_, Type::Bool | Type::Dyn | Type::Error | Type::Param(_) | Type::Optional(_))
    }

    fn compile_deeply(text: &str, variables: Variables<'_>) -> Result<Self, CompileError> {
        let length = text.chars().count();
        if length > MAX_LENGTH {
            let mut problems = Problems::default();
            let message = format!("expression code point size exceeds limit: size: {length}, limit {MAX_LENGTH}");
            problems.add(None, message);
            return Err(compile_error(problems, &Source::new("")));
        }
        let source = Source::new(text);
        let (tree, root) = parse(&source).map_err(|problems| compile_error(problems, &source))?;
        let checked = check(&tree, root, variables).map_err(|problems| compile_error(problems, &source))?;
        let step = plan(&tree, root, &checked).map_err(|problem| CompileError {
            message: format!("instantiation failed: {problem}"),
            summary: problem,
            place: None,
        })?;
        Ok(Self { step, variables: checked.variables().cloned().collect(), type_: checked.type_of(root).clone() })
    }
}

/// Runs a step of the compiler with enough stack.
pub(super) fn deeply<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(COMPILE_STACK, COMPILE_STACK, step)
}

pub(super) fn compile_error(problems: Problems, source: &Source) -> CompileError {
    let (summary, place) = problems.first(source).unwrap_or_default();
    CompileError { summary, place, message: format!("compilation failed: {}", problems.format(source)) }
}
