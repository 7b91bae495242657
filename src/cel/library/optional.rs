//! Optional values.

use super::declaration::Row;
use crate::context::{Context, EvalError};
use crate::syntax::operator;
use crate::value::Value;

pub(super) const ROWS: &[Row] = &[
    Row("optional.of", "optional_of", "(V) -> optional(V)", Some(of)),
    Row("optional.ofNonZeroValue", "optional_ofNonZeroValue", "(V) -> optional(V)", Some(of_non_zero)),
    Row("optional.none", "optional_none", "() -> optional(V)", Some(none)),
    Row("value", "optional_value", "optional(V).() -> V", Some(value)),
    Row("hasValue", "optional_hasValue", "optional(V).() -> bool", Some(has_value)),
    Row("or", "optional_or_optional", "optional(V).(optional(V)) -> optional(V)", None),
    Row("orValue", "optional_orValue_value", "optional(V).(V) -> V", None),
    Row(operator::OPTIONAL_SELECT, "select_optional_field", "(dyn, string) -> optional(V)", None),
    Row(operator::OPTIONAL_INDEX, "list_optindex_optional_int", "(list(V), int) -> optional(V)", None),
    Row(
        operator::OPTIONAL_INDEX,
        "optional_list_optindex_optional_int",
        "(optional(list(V)), int) -> optional(V)",
        None,
    ),
    Row(operator::OPTIONAL_INDEX, "map_optindex_optional_value", "(map(K, V), K) -> optional(V)", None),
    Row(
        operator::OPTIONAL_INDEX,
        "optional_map_optindex_optional_value",
        "(optional(map(K, V)), K) -> optional(V)",
        None,
    ),
    Row(operator::INDEX, "optional_list_index_int", "(optional(list(V)), int) -> optional(V)", None),
    Row(operator::INDEX, "optional_map_index_value", "(optional(map(K, V)), K) -> optional(V)", None),
    Row("last", "list_last", "list(V).() -> optional(V)", Some(last)),
    Row("first", "list_first", "list(V).() -> optional(V)", Some(first)),
    Row("optional.unwrap", "optional_unwrap", "(list(optional(V))) -> list(V)", Some(unwrap)),
    Row("unwrapOpt", "optional_unwrapOpt", "list(optional(V)).() -> list(V)", Some(unwrap)),
];

fn of<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    args.first().cloned().map(Value::some).ok_or(EvalError::Failed)
}

fn of_non_zero<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [value] if value.is_zero() => Ok(Value::NONE),
        [value] => Ok(Value::some(value.clone())),
        _ => Err(EvalError::Failed),
    }
}

fn none<'a>(_: &mut Context<'_, 'a>, _: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    Ok(Value::NONE)
}

fn value<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Optional(Some(value))] => Ok((**value).clone()),
        _ => Err(EvalError::Failed),
    }
}

fn has_value<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Optional(value)] => Ok(Value::Bool(value.is_some())),
        _ => Err(EvalError::Failed),
    }
}

fn last<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::List(list)] = args else { return Err(EvalError::Failed) };
    let last = list.len().checked_sub(1).and_then(|at| list.get(at));
    Ok(last.map_or(Value::NONE, Value::some))
}

fn first<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::List(list)] = args else { return Err(EvalError::Failed) };
    Ok(list.get(0).map_or(Value::NONE, Value::some))
}

fn unwrap<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::List(list)] = args else { return Err(EvalError::Failed) };
    context.meter.allocate(list.len())?;
    let mut values = Vec::new();
    for item in list.iter() {
        match item {
            Value::Optional(Some(value)) => values.push((*value).clone()),
            Value::Optional(None) => {}
            _ => return Err(EvalError::Failed),
        }
    }
    Ok(Value::list(values))
}
