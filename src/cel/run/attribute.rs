//! Variables, and the fields and items selected from them.

use super::evaluate::Evaluation;
use super::step::{Attribute, Key, Qualifier, Root};
use crate::context::EvalError;
use crate::value::Value;

impl<'a> Evaluation<'_, 'a> {
    /// Returns the value of an attribute, and charges for it.
    pub(super) fn observed(&mut self, attribute: &'a Attribute) -> Result<Value<'a>, EvalError> {
        let value = self.resolved(attribute);
        if !matches!(attribute.root, Root::Conditional { .. }) && !matches!(value, Err(EvalError::Cancelled)) {
            self.context.meter.charge(1)?;
        }
        match value? {
            Value::Optional(value) if attribute.tests => Ok(Value::Bool(value.is_some())),
            value => Ok(value),
        }
    }

    /// Returns the value of an attribute. Charges for its qualifiers, but not for the attribute itself.
    fn resolved(&mut self, attribute: &'a Attribute) -> Result<Value<'a>, EvalError> {
        let root = match &attribute.root {
            Root::Cluster => self.cluster.clone(),
            Root::Item(number) => {
                let frame = self.frames.get(*number).ok_or(EvalError::Failed)?;
                frame.item.clone().ok_or(EvalError::Failed)?
            }
            Root::Collected(number) => self.collected(*number)?,
            Root::Computed(step) => self.value(step)?,
            Root::Conditional { condition, yes, no } => match self.value(condition)? {
                Value::Bool(true) => self.resolved(yes)?,
                Value::Bool(false) => self.resolved(no)?,
                _ => return Err(EvalError::Failed),
            },
        };
        self.qualified(root, attribute)
    }

    /// Applies the qualifiers to a value, one after the other. From the first optional one on, the result is optional.
    fn qualified(&mut self, root: Value<'a>, attribute: &'a Attribute) -> Result<Value<'a>, EvalError> {
        let (mut value, mut optional) = match root {
            Value::Optional(None) => return Ok(Value::NONE),
            Value::Optional(Some(value)) => ((*value).clone(), true),
            value => (value, false),
        };
        let last = attribute.qualifiers.len();
        for (at, qualifier) in attribute.qualifiers.iter().enumerate() {
            optional |= qualifier.optional;
            let tests = attribute.tests && at + 1 == last;
            let found = self.looked_up(&value, qualifier, optional || tests, tests && !optional)?;
            value = match found {
                found if tests && !optional => Value::Bool(found.is_some()),
                Some(found) => found,
                None => return Ok(Value::NONE),
            };
        }
        Ok(if optional { Value::some(value) } else { value })
    }

    /// Applies one qualifier and charges for it. A missing value is free if it may be missing, unless the qualifier tests for it.
    fn looked_up(
        &mut self,
        value: &Value<'a>,
        qualifier: &'a Qualifier,
        may_miss: bool,
        asks: bool,
    ) -> Result<Option<Value<'a>>, EvalError> {
        let found = self.found(value, &qualifier.by, may_miss);
        let is_due = match &found {
            Ok(None) => asks,
            Ok(Some(_)) => true,
            Err(fault) => *fault == EvalError::Failed && (asks || !may_miss),
        };
        if is_due {
            self.context.meter.charge(1)?;
        }
        found
    }

    fn found(&mut self, value: &Value<'a>, key: &'a Key, may_miss: bool) -> Result<Option<Value<'a>>, EvalError> {
        let key = match key {
            Key::Constant(literal) => Value::constant(literal),
            Key::Attribute(attribute) => match self.resolved(attribute)? {
                key @ (Value::String(_) | Value::Int(_) | Value::Uint(_) | Value::Bool(_) | Value::Double(_)) => key,
                _ => return Err(EvalError::Failed),
            },
        };
        let found = match value {
            Value::Map(map) => map.find(&key),
            Value::List(list) => {
                let at = key.as_index().ok_or(EvalError::Failed)?;
                usize::try_from(at).ok().and_then(|at| list.get(at))
            }
            _ => None,
        };
        if found.is_none() && !may_miss {
            if let (Value::String(name), None) = (&key, &self.context.missing) {
                *self.context.missing = Some(name.to_string());
            }
            return Err(EvalError::Failed);
        }
        Ok(found)
    }
}
