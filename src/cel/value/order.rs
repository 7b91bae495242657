//! Ordering of values.

use std::cmp::Ordering;

use super::data::Value;

/// Orders two values as `<` does; `None` if they have no order.
pub(crate) fn order(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::String(a), Value::String(b)) => Some((**a).cmp(&**b)),
        (Value::Bytes(a), Value::Bytes(b)) => Some(a.cmp(b)),
        (Value::Duration(a), Value::Duration(b)) => Some(a.cmp(b)),
        (Value::Timestamp(a), Value::Timestamp(b)) => Some(a.parts().cmp(&b.parts())),
        _ => numbers(a, b),
    }
}

/// Orders two numbers of any type.
pub(super) fn numbers(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Uint(a), Value::Uint(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Uint(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Value::Uint(a), Value::Int(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
        // Rounded to a floating-point number, as upstream does.
        (Value::Int(a), Value::Double(b)) => (*a as f64).partial_cmp(b),
        (Value::Double(a), Value::Int(b)) => a.partial_cmp(&(*b as f64)),
        (Value::Uint(a), Value::Double(b)) => (*a as f64).partial_cmp(b),
        (Value::Double(a), Value::Uint(b)) => a.partial_cmp(&(*b as f64)),
        _ => None,
    }
}
