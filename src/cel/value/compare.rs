//! Equality of values.

use super::data::{List, Map, Value};
use super::order::numbers;
use crate::context::{EvalError, Meter};

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Equality {
    Yes,
    No,
    /// They cannot be compared.
    Mismatch,
}

impl From<bool> for Equality {
    fn from(equal: bool) -> Self {
        if equal { Self::Yes } else { Self::No }
    }
}

/// Compares two values as `==` does.
///
/// # Errors
/// [`EvalError::Cancelled`] if the values are too large to compare.
pub(crate) fn equality(a: &Value<'_>, b: &Value<'_>, meter: &mut Meter) -> Result<Equality, EvalError> {
    match (a, b) {
        (Value::Null, Value::Null) => Ok(Equality::Yes),
        (Value::Null, _) | (_, Value::Null) => Ok(Equality::No),
        _ => compare(a, b, meter),
    }
}

/// Returns `true` if two values are the same, as `in` compares them.
pub(crate) fn is_same(a: &Value<'_>, b: &Value<'_>, meter: &mut Meter) -> Result<bool, EvalError> {
    match (a, b) {
        (Value::Null, _) => Ok(matches!(b, Value::Null)),
        _ => Ok(compare(a, b, meter)? == Equality::Yes),
    }
}

fn compare(a: &Value<'_>, b: &Value<'_>, meter: &mut Meter) -> Result<Equality, EvalError> {
    meter.work(1)?;
    Ok(match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => (a == b).into(),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), Value::Int(_) | Value::Uint(_) | Value::Double(_)) => {
            (numbers(a, b) == Some(std::cmp::Ordering::Equal)).into()
        }
        (Value::String(a), Value::String(b)) => (**a == **b).into(),
        (Value::Bytes(a), Value::Bytes(b)) => (a == b).into(),
        (Value::Duration(a), Value::Duration(b)) => (a == b).into(),
        (Value::Timestamp(a), Value::Timestamp(b)) => (a.parts() == b.parts()).into(),
        (Value::Type(a), Value::Type(b)) => (a == b).into(),
        (Value::List(a), Value::List(b)) => return lists(a, b, meter),
        (Value::Map(a), Value::Map(b)) => return maps(a, b, meter),
        (Value::Optional(a), Value::Optional(b)) => match (a, b) {
            (None, None) => Equality::Yes,
            // Inside optionals, null is a value like any other.
            (Some(a), Some(b)) if matches!(**a, Value::Null) => matches!(**b, Value::Null).into(),
            (Some(a), Some(b)) => return compare(a, b, meter),
            _ => Equality::No,
        },
        (Value::Quantity(a, _), Value::Quantity(b, false)) => (a == b).into(),
        (Value::Ip(a), Value::Ip(b)) => (a == b).into(),
        (Value::Cidr(a), Value::Cidr(b)) => (a == b).into(),
        (Value::Url(a), Value::Url(b)) => (a.to_string() == b.to_string()).into(),
        (Value::Version(a), Value::Version(b)) => (a.precedence(b) == std::cmp::Ordering::Equal).into(),
        (Value::Format(a), Value::Format(b)) => (a.name == b.name).into(),
        (
            Value::Quantity(..) | Value::Ip(_) | Value::Cidr(_) | Value::Url(_) | Value::Version(_) | Value::Format(_),
            _,
        ) => Equality::Mismatch,
        _ => Equality::No,
    })
}

/// Compares lists. Items that cannot be compared matter only if the list was concatenated from two.
fn lists(a: &List<'_>, b: &List<'_>, meter: &mut Meter) -> Result<Equality, EvalError> {
    if a.len() != b.len() {
        return Ok(Equality::No);
    }
    let mut mismatch = false;
    for (a, b) in a.iter().zip(b.iter()) {
        match equality(&a, &b, meter)? {
            Equality::Yes => {}
            Equality::No => return Ok(Equality::No),
            Equality::Mismatch => mismatch = true,
        }
    }
    let strict = matches!(a, List::Joined(_));
    Ok(if mismatch && strict { Equality::Mismatch } else { Equality::Yes })
}

fn maps(a: &Map<'_>, b: &Map<'_>, meter: &mut Meter) -> Result<Equality, EvalError> {
    if a.len() != b.len() {
        return Ok(Equality::No);
    }
    for key in a.keys() {
        // Keys that are looked up by identity are not even found in their own map.
        let (Some(ours), Some(theirs)) = (a.find(&key), b.find(&key)) else { return Ok(Equality::No) };
        if equality(&ours, &theirs, meter)? == Equality::No {
            return Ok(Equality::No);
        }
    }
    Ok(Equality::Yes)
}
