//! Regular expressions.

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::value::Value;

pub(in crate::library) const ROWS: &[Row] = &[
    Row("find", "string_find_string", "string.(string) -> string", Some(find)),
    Row("findAll", "string_find_all_string", "string.(string) -> list(string)", Some(find_all)),
    Row("findAll", "string_find_all_string_int", "string.(string, int) -> list(string)", Some(find_all)),
];

/// Returns `true` if the second argument of a function is a pattern that is compiled in advance if it is a constant.
pub(crate) fn takes_pattern(function: &str) -> bool {
    matches!(function, "find" | "findAll")
}

pub(in crate::library) fn matches<'a>(
    context: &mut Context<'_, 'a>,
    args: &[Value<'a>],
) -> Result<Value<'a>, EvalError> {
    let [Value::String(text), Value::String(pattern)] = args else { return Err(EvalError::Failed) };
    let pattern = context.patterns.get(pattern, text, context.meter)?.ok_or(EvalError::Failed)?;
    Ok(Value::Bool(pattern.regex.is_match(text)))
}

fn find<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text), Value::String(pattern)] = args else { return Err(EvalError::Failed) };
    let pattern = context.patterns.get(pattern, text, context.meter)?.ok_or(EvalError::Failed)?;
    Ok(Value::string(pattern.regex.find(text).map_or("", |found| found.as_str())))
}

fn find_all<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let (text, pattern, most) = match args {
        [Value::String(text), Value::String(pattern)] => (text, pattern, -1),
        [Value::String(text), Value::String(pattern), Value::Int(most)] => (text, pattern, *most),
        _ => return Err(EvalError::Failed),
    };
    let pattern = context.patterns.get(pattern, text, context.meter)?.ok_or(EvalError::Failed)?;
    context.meter.allocate(text.len().saturating_mul(4))?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let found = pattern.regex.find_iter(text).take(most).map(|found| Value::string(found.as_str()));
    Ok(Value::list(found.collect()))
}
