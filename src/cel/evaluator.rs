//! Evaluation of compiled expressions.

use std::fmt;

use serde_json::Value as Json;

use super::context::{Context, Meter, Patterns, Scores};
use super::program::Program;
use super::run::evaluate;
use super::value::{Unfit, Value, to_json};

/// Stack size for evaluating an expression.
const EVALUATION_STACK: usize = 1 << 20;

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

/// The value of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Computed {
    /// True or false.
    Bool(bool),
    /// A string.
    String(String),
    /// A value of another type, by the name of the type.
    Other(&'static str),
}

/// What the expressions that belong together may still use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// How much their evaluation may cost.
    pub cost: u64,
    /// How large their values may be, in bytes of JSON.
    pub bytes: usize,
}

/// Why the value of an expression has no JSON. Displays as a part of a sentence, after the expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoJson {
    /// It has no value.
    Trouble(Trouble),
    /// It has a value of a type that JSON does not have.
    Type(&'static str),
    /// Its value is larger than allowed, or it costs more than what is left.
    Exhausted,
}

impl fmt::Display for NoJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trouble(trouble) => trouble.fmt(f),
            Self::Type(type_) => write!(f, "gives a value of type {type_}, which JSON does not have"),
            Self::Exhausted => f.write_str("needs more memory or work than is left"),
        }
    }
}

impl std::error::Error for NoJson {}

/// Why an expression has no value. Displays as a part of a sentence, after the expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It fails.
    Failed {
        /// The first key that it selects and that does not exist. There may be another reason.
        missing: Option<String>,
    },
    /// It costs more than an expression may.
    TooExpensive,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { missing: Some(name) } => write!(f, "reads {name:?}, which does not exist"),
            Self::Failed { missing: None } => {
                f.write_str("fails, for example because it uses a value of the wrong type or divides by zero")
            }
            Self::TooExpensive => f.write_str("takes more work than an expression may"),
        }
    }
}

impl std::error::Error for Trouble {}

/// What each evaluation costs, however small the expression is.
const BASE_COST: u64 = 100;
/// How many steps that upstream does not count cost as much as one that it does. At this rate, both limits of an evaluation are the same.
const STEPS: u64 = 20;

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
        let mut missing = None;
        let context = Context { meter: &mut meter, scores, patterns: &mut self.patterns, missing: &mut missing };
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
        match self.compute(program, values) {
            Ok(Computed::Bool(true)) => Verdict::Holds,
            Ok(Computed::Bool(false)) => Verdict::Fails,
            Ok(Computed::String(text)) => Verdict::Message(text),
            Ok(Computed::Other(_)) | Err(_) => Verdict::Unknown,
        }
    }

    /// Evaluates an expression about named values: `values` has a field for each.
    ///
    /// # Errors
    /// [`Trouble`] if it has no value.
    pub fn compute(&mut self, program: &Program, values: &Json) -> Result<Computed, Trouble> {
        self.value(program, values, |value| match value {
            Value::Bool(value) => Computed::Bool(*value),
            Value::String(text) => Computed::String(text.to_string()),
            other => Computed::Other(other.type_name()),
        })
    }

    /// Evaluates an expression about named values whose value is a number; `None` if it has another type.
    ///
    /// # Errors
    /// [`Trouble`] if it has no value.
    pub fn number(&mut self, program: &Program, values: &Json) -> Result<Option<f64>, Trouble> {
        self.value(program, values, |value| match value {
            Value::Int(value) => Some(*value as f64),
            Value::Uint(value) => Some(*value as f64),
            Value::Double(value) => Some(*value),
            _ => None,
        })
    }

    /// Returns the value of an expression about named values as JSON; `None` for an optional without a value.
    ///
    /// # Errors
    /// [`NoJson`]
    pub fn json(
        &mut self,
        program: &Program,
        values: &Json,
        allowance: &mut Allowance,
    ) -> Result<Option<Json>, NoJson> {
        if allowance.cost == 0 {
            return Err(NoJson::Exhausted);
        }
        let mut room = allowance.bytes;
        let (found, spent) = self.metered(program, values, |value| match value {
            Value::Optional(None) => Ok(None),
            Value::Optional(Some(value)) => to_json(value, &mut room).map(Some),
            value => to_json(value, &mut room).map(Some),
        });
        allowance.bytes = room;
        let left = allowance.cost.checked_sub(spent);
        allowance.cost = left.unwrap_or(0);
        match found.map_err(NoJson::Trouble)? {
            Ok(_) if left.is_none() => Err(NoJson::Exhausted),
            Ok(value) => Ok(value),
            Err(Unfit::Type(type_)) => Err(NoJson::Type(type_)),
            Err(Unfit::TooLarge) => Err(NoJson::Exhausted),
        }
    }

    fn value<T>(&mut self, program: &Program, values: &Json, read: impl FnOnce(&Value<'_>) -> T) -> Result<T, Trouble> {
        self.metered(program, values, read).0
    }

    /// Evaluates an expression, and returns what that costs.
    fn metered<T>(
        &mut self,
        program: &Program,
        values: &Json,
        read: impl FnOnce(&Value<'_>) -> T,
    ) -> (Result<T, Trouble>, u64) {
        let (mut meter, mut missing) = (Meter::default(), None);
        self.patterns.begin();
        let context =
            Context { meter: &mut meter, scores: &NoScores, patterns: &mut self.patterns, missing: &mut missing };
        let found = stacker::maybe_grow(EVALUATION_STACK, EVALUATION_STACK, || {
            evaluate(&program.step, values, context).map(|value| read(&value))
        });
        let found = found.map_err(|_| match meter.is_exhausted() {
            true => Trouble::TooExpensive,
            false => Trouble::Failed { missing },
        });
        (found, meter.cost() + meter.worked() / STEPS + BASE_COST)
    }
}

/// The scores for a rule: none, because a rule is not about clusters.
struct NoScores;

impl Scores for NoScores {
    fn find(&self, _: &str, _: &str) -> Option<Vec<(&str, i64)>> {
        None
    }
}
