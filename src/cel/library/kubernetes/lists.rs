//! Functions on lists.

use std::cmp::Ordering;

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::value::{Equality, Value, equality, order};

pub(in crate::library) const ROWS: &[Row] = &[
    Row("isSorted", "list_int_is_sorted_bool", "list(int).() -> bool", Some(is_sorted)),
    Row("isSorted", "list_uint_is_sorted_bool", "list(uint).() -> bool", Some(is_sorted)),
    Row("isSorted", "list_double_is_sorted_bool", "list(double).() -> bool", Some(is_sorted)),
    Row("isSorted", "list_bool_is_sorted_bool", "list(bool).() -> bool", Some(is_sorted)),
    Row("isSorted", "list_duration_is_sorted_bool", "list(duration).() -> bool", Some(is_sorted)),
    Row("isSorted", "list_timestamp_is_sorted_bool", "list(timestamp).() -> bool", Some(is_sorted)),
    Row("isSorted", "list_string_is_sorted_bool", "list(string).() -> bool", Some(is_sorted)),
    Row("isSorted", "list_bytes_is_sorted_bool", "list(bytes).() -> bool", Some(is_sorted)),
    Row("sum", "list_int_sum_int", "list(int).() -> int", Some(sum_of_ints)),
    Row("sum", "list_uint_sum_uint", "list(uint).() -> uint", Some(sum_of_uints)),
    Row("sum", "list_double_sum_double", "list(double).() -> double", Some(sum_of_doubles)),
    Row("sum", "list_duration_sum_duration", "list(duration).() -> duration", Some(sum_of_durations)),
    Row("max", "list_int_max_int", "list(int).() -> int", Some(max)),
    Row("max", "list_uint_max_uint", "list(uint).() -> uint", Some(max)),
    Row("max", "list_double_max_double", "list(double).() -> double", Some(max)),
    Row("max", "list_bool_max_bool", "list(bool).() -> bool", Some(max)),
    Row("max", "list_duration_max_duration", "list(duration).() -> duration", Some(max)),
    Row("max", "list_timestamp_max_timestamp", "list(timestamp).() -> timestamp", Some(max)),
    Row("max", "list_string_max_string", "list(string).() -> string", Some(max)),
    Row("max", "list_bytes_max_bytes", "list(bytes).() -> bytes", Some(max)),
    Row("min", "list_int_min_int", "list(int).() -> int", Some(min)),
    Row("min", "list_uint_min_uint", "list(uint).() -> uint", Some(min)),
    Row("min", "list_double_min_double", "list(double).() -> double", Some(min)),
    Row("min", "list_bool_min_bool", "list(bool).() -> bool", Some(min)),
    Row("min", "list_duration_min_duration", "list(duration).() -> duration", Some(min)),
    Row("min", "list_timestamp_min_timestamp", "list(timestamp).() -> timestamp", Some(min)),
    Row("min", "list_string_min_string", "list(string).() -> string", Some(min)),
    Row("min", "list_bytes_min_bytes", "list(bytes).() -> bytes", Some(min)),
    Row("indexOf", "list_a_index_of_int", "list(A).(A) -> int", Some(index_of)),
    Row("lastIndexOf", "list_a_last_index_of_int", "list(A).(A) -> int", Some(last_index_of)),
];

/// Returns the items of the list that is the only argument.
fn items<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Vec<Value<'a>>, EvalError> {
    let [Value::List(list)] = args else { return Err(EvalError::Failed) };
    context.meter.work(list.len() as u64)?;
    Ok(list.iter().collect())
}

/// Returns `true` if values of a type have an order.
fn has_order(value: &Value<'_>) -> bool {
    order(value, value).is_some() || matches!(value, Value::Double(_))
}

fn is_sorted<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let items = items(context, args)?;
    for (at, item) in items.iter().enumerate() {
        if !has_order(item) {
            return Err(EvalError::Failed);
        }
        // Items that cannot be compared do not count as descending.
        let before = at.checked_sub(1).and_then(|at| items.get(at));
        if before.is_some_and(|before| order(before, item) == Some(Ordering::Greater)) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn sum<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>], zero: Value<'a>) -> Result<Value<'a>, EvalError> {
    let mut total = zero;
    for item in items(context, args)? {
        total = total.plus(&item, context.meter)?;
    }
    Ok(total)
}

fn sum_of_ints<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    sum(context, args, Value::Int(0))
}

fn sum_of_uints<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    sum(context, args, Value::Uint(0))
}

fn sum_of_doubles<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    sum(context, args, Value::Double(0.0))
}

fn sum_of_durations<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    sum(context, args, Value::Duration(0))
}

/// Returns the first item that no other item is preferred to.
fn best<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>], preferred: Ordering) -> Result<Value<'a>, EvalError> {
    let mut best: Option<Value<'a>> = None;
    for item in items(context, args)? {
        if !has_order(&item) {
            return Err(EvalError::Failed);
        }
        if best.as_ref().is_none_or(|best| order(&item, best) == Some(preferred)) {
            best = Some(item);
        }
    }
    best.ok_or(EvalError::Failed)
}

fn max<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    best(context, args, Ordering::Greater)
}

fn min<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    best(context, args, Ordering::Less)
}

fn position<'a>(
    context: &mut Context<'_, 'a>,
    args: &[Value<'a>],
    places: impl FnOnce(usize) -> Box<dyn Iterator<Item = usize>>,
) -> Result<Value<'a>, EvalError> {
    let [Value::List(list), wanted] = args else { return Err(EvalError::Failed) };
    for at in places(list.len()) {
        let Some(item) = list.get(at) else { break };
        if equality(&item, wanted, context.meter)? == Equality::Yes {
            return Ok(Value::Int(i64::try_from(at).unwrap_or(i64::MAX)));
        }
    }
    Ok(Value::Int(-1))
}

fn index_of<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    position(context, args, |length| Box::new(0..length))
}

fn last_index_of<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    position(context, args, |length| Box::new((0..length).rev()))
}
