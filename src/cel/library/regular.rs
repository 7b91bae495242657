//! Regular expressions.

use super::declare::Row;
use crate::run::{Context, Fault};
use crate::value::Value;

pub(super) const ROWS: &[Row] = &[
    Row("find", "string_find_string", "string.(string) -> string", Some(find)),
    Row("findAll", "string_find_all_string", "string.(string) -> list(string)", Some(find_all)),
    Row("findAll", "string_find_all_string_int", "string.(string, int) -> list(string)", Some(find_all)),
];

/// Returns `true` if the second argument of a function is a pattern that is compiled in advance if it is a constant.
pub(crate) fn takes_pattern(function: &str) -> bool {
    matches!(function, "find" | "findAll")
}

pub(super) fn matches<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Text(text), Value::Text(pattern)] = args else { return Err(Fault::Failed) };
    let pattern = context.patterns.get(pattern, text, context.meter)?.ok_or(Fault::Failed)?;
    Ok(Value::Bool(pattern.regex.is_match(text)))
}

fn find<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Text(text), Value::Text(pattern)] = args else { return Err(Fault::Failed) };
    let pattern = context.patterns.get(pattern, text, context.meter)?.ok_or(Fault::Failed)?;
    Ok(Value::text(pattern.regex.find(text).map_or("", |found| found.as_str())))
}

fn find_all<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let (text, pattern, most) = match args {
        [Value::Text(text), Value::Text(pattern)] => (text, pattern, -1),
        [Value::Text(text), Value::Text(pattern), Value::Int(most)] => (text, pattern, *most),
        _ => return Err(Fault::Failed),
    };
    let pattern = context.patterns.get(pattern, text, context.meter)?.ok_or(Fault::Failed)?;
    context.meter.allocate(text.len().saturating_mul(4))?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let found = pattern.regex.find_iter(text).take(most).map(|found| Value::text(found.as_str()));
    Ok(Value::list(found.collect()))
}
