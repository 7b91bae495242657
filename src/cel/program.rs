//! Compiled expressions and their evaluation.

use std::fmt;

use serde_json::Value as Json;

use super::check::{Variables, check};
use super::context::{Context, Meter, Patterns, Scores};
use super::run::{Step, evaluate, plan};
use super::source::{Problems, Source};
use super::syntax::parse;
use super::types::Type;
use super::value::Value;

/// Maximum length of an expression, in characters.
const MAX_LENGTH: usize = 100_000;

/// Stack size for compiling an expression: the compiler is recursive, and upstream accepts expressions 250 levels deep.
const COMPILE_STACK: usize = 16 << 20;
/// Stack size for evaluating an expression.
const EVALUATION_STACK: usize = 1 << 20;

/// A compiled expression.
#[derive(Debug)]
pub struct Program {
    step: Step,
    uses_old: bool,
    may_hold: bool,
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
        stacker::maybe_grow(COMPILE_STACK, COMPILE_STACK, || Self::compile_deeply(text, Variables::Cluster))
    }

    /// Compiles a rule about a value of an object: `self`, and `oldSelf` for the previous value, which may be an optional. Both are
    /// of any type.
    ///
    /// # Errors
    /// The errors in the expression.
    pub fn rule(text: &str, optional_old: bool) -> Result<Self, CompileError> {
        let variables = Variables::Rule { optional: optional_old };
        stacker::maybe_grow(COMPILE_STACK, COMPILE_STACK, || Self::compile_deeply(text, variables))
    }

    /// Returns `true` if a rule uses the previous value.
    pub fn uses_old(&self) -> bool {
        self.uses_old
    }

    /// Returns `true` if its value may be true. A value of another type than bool, such as a number, never is.
    pub fn may_hold(&self) -> bool {
        self.may_hold
    }

    fn compile_deeply(text: &str, variables: Variables) -> Result<Self, CompileError> {
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
        let may_hold =
            matches!(checked.type_of(root), Type::Bool | Type::Dyn | Type::Error | Type::Param(_) | Type::Optional(_));
        Ok(Self { step, uses_old: checked.uses_old(), may_hold })
    }
}

fn compile_error(problems: Problems, source: &Source) -> CompileError {
    let (summary, place) = problems.first(source).unwrap_or_default();
    CompileError { summary, place, message: format!("compilation failed: {}", problems.format(source)) }
}

/// The result of an expression for a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Whether it is true. An expression that fails is not.
    pub holds: bool,
    /// The cost of the evaluation, as upstream counts it.
    pub cost: u64,
    /// Additional work, in steps that upstream does not count.
    pub work: u64,
}

/// The result of a rule for a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is true.
    Holds,
    /// It is false.
    Fails,
    /// It is a string: the message of a rule.
    Message(String),
    /// It has no value, or a value of another type.
    Unknown,
}

/// Evaluates expressions, one after the other.
#[derive(Debug, Default)]
pub struct Evaluator {
    patterns: Patterns,
}

impl Evaluator {
    /// Evaluates an expression for a cluster.
    pub fn evaluate(&mut self, program: &Program, cluster: &Json, scores: &dyn Scores) -> Answer {
        let mut meter = Meter::default();
        self.patterns.begin();
        let context = Context { meter: &mut meter, scores, patterns: &mut self.patterns };
        let value =
            stacker::maybe_grow(EVALUATION_STACK, EVALUATION_STACK, || evaluate(&program.step, cluster, context));
        let holds = match value {
            Ok(Value::Bool(value)) => value,
            Ok(Value::Optional(Some(value))) => matches!(*value, Value::Bool(true)),
            _ => false,
        };
        Answer { holds, cost: meter.cost(), work: meter.worked() }
    }

    /// Evaluates a rule. `values` has the field `self`, and `oldSelf` if there was a previous value.
    pub fn evaluate_rule(&mut self, program: &Program, values: &Json) -> Verdict {
        let mut meter = Meter::default();
        self.patterns.begin();
        let context = Context { meter: &mut meter, scores: &NoScores, patterns: &mut self.patterns };
        match stacker::maybe_grow(EVALUATION_STACK, EVALUATION_STACK, || evaluate(&program.step, values, context)) {
            Ok(Value::Bool(true)) => Verdict::Holds,
            Ok(Value::Bool(false)) => Verdict::Fails,
            Ok(Value::String(text)) => Verdict::Message(text.to_string()),
            _ => Verdict::Unknown,
        }
    }
}

/// The scores for a rule: none, because a rule is not about clusters.
struct NoScores;

impl Scores for NoScores {
    fn find(&self, _: &str, _: &str) -> Option<Vec<(&str, i64)>> {
        None
    }
}
