//! Evaluation of steps.

use serde_json::Value as Json;

use super::step::Step;
use crate::context::{Context, EvalError};
use crate::value::{Built, Equality, Map, Value, equality};

/// The cost of creating a list.
const LIST_COST: u64 = 10;
/// The cost of creating a map.
const MAP_COST: u64 = 30;

/// Evaluates an expression for a cluster.
///
/// # Errors
/// The reason it has no value.
pub(crate) fn evaluate<'a>(
    step: &'a Step,
    cluster: &'a Json,
    context: Context<'_, 'a>,
) -> Result<Value<'a>, EvalError> {
    Evaluation { context, cluster: cluster.into(), frames: Vec::new() }.value(step)
}

/// An evaluation in progress.
pub(super) struct Evaluation<'c, 'a> {
    pub(super) context: Context<'c, 'a>,
    pub(super) cluster: Value<'a>,
    /// The current loops, from the outside in.
    pub(super) frames: Vec<Frame<'a>>,
}

/// A loop in progress.
pub(super) struct Frame<'a> {
    pub(super) item: Option<Value<'a>>,
    /// The collected value; `None` until it is first used.
    pub(super) collected: Option<Result<Value<'a>, EvalError>>,
    pub(super) start: &'a Step,
}

impl<'a> Evaluation<'_, 'a> {
    pub(super) fn value(&mut self, step: &'a Step) -> Result<Value<'a>, EvalError> {
        match step {
            Step::Constant(literal) => Ok(Value::constant(literal)),
            Step::Type(name) => Ok(Value::Type(name)),
            Step::Attribute(attribute) => self.observed(attribute),
            Step::Logic { decisive, terms } => self.logic(*decisive, terms),
            Step::Equals { negated, sides } => self.equals(*negated, sides),
            Step::Otherwise { unwrapped, sides } => self.otherwise(*unwrapped, sides),
            Step::Call(call) => self.call(call),
            Step::List { items, optional } => self.list(items, optional),
            Step::Map { entries, optional } => self.map(entries, optional),
            Step::Fold(fold) => self.fold(fold),
        }
    }

    /// Evaluates terms until one has the decisive value, which determines the result even if earlier terms failed.
    fn logic(&mut self, decisive: bool, terms: &'a [Step]) -> Result<Value<'a>, EvalError> {
        let mut failed = false;
        for term in terms {
            match self.value(term) {
                Ok(Value::Bool(value)) if value == decisive => return Ok(Value::Bool(decisive)),
                Ok(Value::Bool(_)) => {}
                Err(EvalError::Cancelled) => return Err(EvalError::Cancelled),
                Ok(_) | Err(EvalError::Failed) => failed = true,
            }
        }
        if failed { Err(EvalError::Failed) } else { Ok(Value::Bool(!decisive)) }
    }

    fn equals(&mut self, negated: bool, [left, right]: &'a [Step; 2]) -> Result<Value<'a>, EvalError> {
        let left = self.caught(left)?;
        let right = self.caught(right)?;
        let result = match (&left, &right) {
            (Some(left), Some(right)) => match equality(left, right, self.context.meter)? {
                Equality::Yes => Ok(Value::Bool(!negated)),
                Equality::No => Ok(Value::Bool(negated)),
                Equality::Mismatch if negated => Ok(Value::Bool(true)),
                Equality::Mismatch => Err(EvalError::Failed),
            },
            _ => Err(EvalError::Failed),
        };
        let size = |side: &Option<Value<'_>>| side.as_ref().map_or(1, Value::cost_size);
        self.context.meter.charge(size(&left).min(size(&right)).div_ceil(10))?;
        result
    }

    /// Evaluates a step; returns `None` if it fails.
    pub(super) fn caught(&mut self, step: &'a Step) -> Result<Option<Value<'a>>, EvalError> {
        match self.value(step) {
            Ok(value) => Ok(Some(value)),
            Err(EvalError::Failed) => Ok(None),
            Err(EvalError::Cancelled) => Err(EvalError::Cancelled),
        }
    }

    fn otherwise(&mut self, unwrapped: bool, [optional, other]: &'a [Step; 2]) -> Result<Value<'a>, EvalError> {
        match self.value(optional)? {
            Value::Optional(Some(value)) if unwrapped => Ok((*value).clone()),
            Value::Optional(Some(value)) => Ok(Value::Optional(Some(value))),
            Value::Optional(None) => self.value(other),
            _ => Err(EvalError::Failed),
        }
    }

    fn list(&mut self, items: &'a [Step], optional: &[bool]) -> Result<Value<'a>, EvalError> {
        let values = self.items(items, optional);
        if !matches!(values, Err(EvalError::Cancelled)) {
            self.context.meter.charge(LIST_COST)?;
        }
        values.map(Value::list)
    }

    fn items(&mut self, items: &'a [Step], optional: &[bool]) -> Result<Vec<Value<'a>>, EvalError> {
        let mut values = Vec::with_capacity(items.len());
        for (item, optional) in items.iter().zip(optional) {
            match self.value(item)? {
                value if !optional => values.push(value),
                Value::Optional(Some(value)) => values.push((*value).clone()),
                Value::Optional(None) => {}
                _ => return Err(EvalError::Failed),
            }
        }
        Ok(values)
    }

    fn map(&mut self, entries: &'a [[Step; 2]], optional: &[bool]) -> Result<Value<'a>, EvalError> {
        let built = self.entries(entries, optional);
        if !matches!(built, Err(EvalError::Cancelled)) {
            self.context.meter.charge(MAP_COST)?;
        }
        built.map(|built| Value::Map(Map::of(built)))
    }

    fn entries(&mut self, entries: &'a [[Step; 2]], optional: &[bool]) -> Result<Built<'a>, EvalError> {
        let mut built = Built::default();
        for ([key, value], optional) in entries.iter().zip(optional) {
            let (key, value) = (self.value(key)?, self.value(value)?);
            if !key.can_be_key() {
                return Err(EvalError::Cancelled);
            }
            match value {
                value if !optional => built.insert(key, value),
                Value::Optional(Some(value)) => built.insert(key, (*value).clone()),
                Value::Optional(None) => built.remove(&key),
                _ => return Err(EvalError::Failed),
            }
        }
        Ok(built)
    }
}
