//! Operators, and the functions that upstream runs like operators.

use std::cmp::Ordering;

use crate::context::{Context, EvalError};
use crate::library::declaration::{Function, Row};
use crate::library::kubernetes::regex;
use crate::syntax::operator;
use crate::types::Type;
use crate::value::{Map, Value, is_same, order};

pub(in crate::library) const ROWS: &[Row] = &[
    Row(operator::CONDITIONAL, "conditional", "(bool, A, A) -> A", None),
    Row(operator::AND, "logical_and", "(bool, bool) -> bool", None),
    Row(operator::OR, "logical_or", "(bool, bool) -> bool", None),
    Row(operator::NOT, "logical_not", "(bool) -> bool", None),
    Row(operator::NOT_STRICTLY_FALSE, "not_strictly_false", "(bool) -> bool", None),
    Row(operator::EQUALS, "equals", "(A, A) -> bool", None),
    Row(operator::NOT_EQUALS, "not_equals", "(A, A) -> bool", None),
    Row(operator::ADD, "add_bytes", "(bytes, bytes) -> bytes", None),
    Row(operator::ADD, "add_double", "(double, double) -> double", None),
    Row(operator::ADD, "add_duration_duration", "(duration, duration) -> duration", None),
    Row(operator::ADD, "add_duration_timestamp", "(duration, timestamp) -> timestamp", None),
    Row(operator::ADD, "add_timestamp_duration", "(timestamp, duration) -> timestamp", None),
    Row(operator::ADD, "add_int64", "(int, int) -> int", None),
    Row(operator::ADD, "add_list", "(list(A), list(A)) -> list(A)", None),
    Row(operator::ADD, "add_string", "(string, string) -> string", None),
    Row(operator::ADD, "add_uint64", "(uint, uint) -> uint", None),
    Row(operator::DIVIDE, "divide_double", "(double, double) -> double", None),
    Row(operator::DIVIDE, "divide_int64", "(int, int) -> int", None),
    Row(operator::DIVIDE, "divide_uint64", "(uint, uint) -> uint", None),
    Row(operator::MODULO, "modulo_int64", "(int, int) -> int", None),
    Row(operator::MODULO, "modulo_uint64", "(uint, uint) -> uint", None),
    Row(operator::MULTIPLY, "multiply_double", "(double, double) -> double", None),
    Row(operator::MULTIPLY, "multiply_int64", "(int, int) -> int", None),
    Row(operator::MULTIPLY, "multiply_uint64", "(uint, uint) -> uint", None),
    Row(operator::NEGATE, "negate_double", "(double) -> double", None),
    Row(operator::NEGATE, "negate_int64", "(int) -> int", None),
    Row(operator::SUBTRACT, "subtract_double", "(double, double) -> double", None),
    Row(operator::SUBTRACT, "subtract_duration_duration", "(duration, duration) -> duration", None),
    Row(operator::SUBTRACT, "subtract_int64", "(int, int) -> int", None),
    Row(operator::SUBTRACT, "subtract_timestamp_duration", "(timestamp, duration) -> timestamp", None),
    Row(operator::SUBTRACT, "subtract_timestamp_timestamp", "(timestamp, timestamp) -> duration", None),
    Row(operator::SUBTRACT, "subtract_uint64", "(uint, uint) -> uint", None),
    Row(operator::LESS, "less_bool", "(bool, bool) -> bool", None),
    Row(operator::LESS, "less_int64", "(int, int) -> bool", None),
    Row(operator::LESS, "less_int64_double", "(int, double) -> bool", None),
    Row(operator::LESS, "less_int64_uint64", "(int, uint) -> bool", None),
    Row(operator::LESS, "less_uint64", "(uint, uint) -> bool", None),
    Row(operator::LESS, "less_uint64_double", "(uint, double) -> bool", None),
    Row(operator::LESS, "less_uint64_int64", "(uint, int) -> bool", None),
    Row(operator::LESS, "less_double", "(double, double) -> bool", None),
    Row(operator::LESS, "less_double_int64", "(double, int) -> bool", None),
    Row(operator::LESS, "less_double_uint64", "(double, uint) -> bool", None),
    Row(operator::LESS, "less_string", "(string, string) -> bool", None),
    Row(operator::LESS, "less_bytes", "(bytes, bytes) -> bool", None),
    Row(operator::LESS, "less_timestamp", "(timestamp, timestamp) -> bool", None),
    Row(operator::LESS, "less_duration", "(duration, duration) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_bool", "(bool, bool) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_int64", "(int, int) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_int64_double", "(int, double) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_int64_uint64", "(int, uint) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_uint64", "(uint, uint) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_uint64_double", "(uint, double) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_uint64_int64", "(uint, int) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_double", "(double, double) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_double_int64", "(double, int) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_double_uint64", "(double, uint) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_string", "(string, string) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_bytes", "(bytes, bytes) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_timestamp", "(timestamp, timestamp) -> bool", None),
    Row(operator::LESS_EQUALS, "less_equals_duration", "(duration, duration) -> bool", None),
    Row(operator::GREATER, "greater_bool", "(bool, bool) -> bool", None),
    Row(operator::GREATER, "greater_int64", "(int, int) -> bool", None),
    Row(operator::GREATER, "greater_int64_double", "(int, double) -> bool", None),
    Row(operator::GREATER, "greater_int64_uint64", "(int, uint) -> bool", None),
    Row(operator::GREATER, "greater_uint64", "(uint, uint) -> bool", None),
    Row(operator::GREATER, "greater_uint64_double", "(uint, double) -> bool", None),
    Row(operator::GREATER, "greater_uint64_int64", "(uint, int) -> bool", None),
    Row(operator::GREATER, "greater_double", "(double, double) -> bool", None),
    Row(operator::GREATER, "greater_double_int64", "(double, int) -> bool", None),
    Row(operator::GREATER, "greater_double_uint64", "(double, uint) -> bool", None),
    Row(operator::GREATER, "greater_string", "(string, string) -> bool", None),
    Row(operator::GREATER, "greater_bytes", "(bytes, bytes) -> bool", None),
    Row(operator::GREATER, "greater_timestamp", "(timestamp, timestamp) -> bool", None),
    Row(operator::GREATER, "greater_duration", "(duration, duration) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_bool", "(bool, bool) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_int64", "(int, int) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_int64_double", "(int, double) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_int64_uint64", "(int, uint) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_uint64", "(uint, uint) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_uint64_double", "(uint, double) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_uint64_int64", "(uint, int) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_double", "(double, double) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_double_int64", "(double, int) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_double_uint64", "(double, uint) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_string", "(string, string) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_bytes", "(bytes, bytes) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_timestamp", "(timestamp, timestamp) -> bool", None),
    Row(operator::GREATER_EQUALS, "greater_equals_duration", "(duration, duration) -> bool", None),
    Row(operator::INDEX, "index_list", "(list(A), int) -> A", None),
    Row(operator::INDEX, "index_map", "(map(A, B), A) -> B", None),
    Row(operator::IN, "in_list", "(A, list(A)) -> bool", None),
    Row(operator::IN, "in_map", "(A, map(A, B)) -> bool", None),
    Row("size", "size_bytes", "(bytes) -> int", None),
    Row("size", "bytes_size", "bytes.() -> int", None),
    Row("size", "size_list", "(list(A)) -> int", None),
    Row("size", "list_size", "list(A).() -> int", None),
    Row("size", "size_map", "(map(A, B)) -> int", None),
    Row("size", "map_size", "map(A, B).() -> int", None),
    Row("size", "size_string", "(string) -> int", None),
    Row("size", "string_size", "string.() -> int", None),
    Row("type", "type", "(A) -> type(A)", None),
    Row("dyn", "to_dyn", "(A) -> dyn", None),
];

/// Returns `true` if an overload orders numbers of different types.
pub(in crate::library) fn orders_numbers(function: &str, args: &[Type]) -> bool {
    let is_number = |type_: &Type| matches!(type_, Type::Int | Type::Uint | Type::Double);
    let orders =
        matches!(function, operator::LESS | operator::LESS_EQUALS | operator::GREATER | operator::GREATER_EQUALS);
    matches!(args, [a, b] if orders && a != b && is_number(a) && is_number(b))
}

/// Returns the implementation for all overloads of a function, if there is one.
pub(in crate::library) fn every(name: &str) -> Option<Function> {
    Some(match name {
        operator::NOT => not,
        operator::NOT_STRICTLY_FALSE => not_strictly_false,
        operator::ADD => |context, args| binary(args, |a, b| a.plus(b, context.meter)),
        operator::SUBTRACT => |_, args| binary(args, |a, b| a.minus(b)),
        operator::MULTIPLY => |_, args| binary(args, |a, b| a.times(b)),
        operator::DIVIDE => |_, args| binary(args, |a, b| a.divided_by(b)),
        operator::MODULO => |_, args| binary(args, |a, b| a.modulo(b)),
        operator::NEGATE => negate,
        operator::LESS => |_, args| compared(args, Ordering::is_lt),
        operator::LESS_EQUALS => |_, args| compared(args, Ordering::is_le),
        operator::GREATER => |_, args| compared(args, Ordering::is_gt),
        operator::GREATER_EQUALS => |_, args| compared(args, Ordering::is_ge),
        operator::IN => is_in,
        "size" => size,
        "type" => type_of,
        "dyn" => identity,
        "matches" => regex::matches,
        _ => return None,
    })
}

fn binary<'a>(
    args: &[Value<'a>],
    run: impl FnOnce(&Value<'a>, &Value<'a>) -> Result<Value<'a>, EvalError>,
) -> Result<Value<'a>, EvalError> {
    match args {
        [a, b] => run(a, b),
        _ => Err(EvalError::Failed),
    }
}

fn compared<'a>(args: &[Value<'a>], test: impl FnOnce(Ordering) -> bool) -> Result<Value<'a>, EvalError> {
    binary(args, |a, b| order(a, b).map(|order| Value::Bool(test(order))).ok_or(EvalError::Failed))
}

fn not<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Bool(value)] => Ok(Value::Bool(!value)),
        _ => Err(EvalError::Failed),
    }
}

fn not_strictly_false<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::Bool(value)] => Ok(Value::Bool(*value)),
        _ => Ok(Value::Bool(true)),
    }
}

fn negate<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [value] => value.negated(),
        _ => Err(EvalError::Failed),
    }
}

fn is_in<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [item, Value::List(list)] => {
            for other in list.iter() {
                if is_same(item, &other, context.meter)? {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        }
        [key, Value::Map(Map::Built(_))] if !key.can_be_key() => Err(EvalError::Cancelled),
        [key, Value::Map(map)] => Ok(Value::Bool(map.find(key).is_some())),
        _ => Err(EvalError::Failed),
    }
}

fn size<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let size = args.first().and_then(Value::size).and_then(|size| i64::try_from(size).ok());
    size.map(Value::Int).ok_or(EvalError::Failed)
}

fn type_of<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    args.first().map(|value| Value::Type(value.type_name())).ok_or(EvalError::Failed)
}

fn identity<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    args.first().cloned().ok_or(EvalError::Failed)
}
