//! Conversions between types.

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::time::{Timestamp, parse_span, span_text};
use crate::value::Value;
use tidegate_go::float::{format_g, parse_float};

pub(in crate::library) const ROWS: &[Row] = &[
    Row("bool", "bool_to_bool", "(bool) -> bool", Some(same)),
    Row("bool", "string_to_bool", "(string) -> bool", Some(to_bool)),
    Row("bytes", "bytes_to_bytes", "(bytes) -> bytes", Some(same)),
    Row("bytes", "string_to_bytes", "(string) -> bytes", Some(to_bytes)),
    Row("double", "double_to_double", "(double) -> double", Some(same)),
    Row("double", "int64_to_double", "(int) -> double", Some(to_double)),
    Row("double", "string_to_double", "(string) -> double", Some(to_double)),
    Row("double", "uint64_to_double", "(uint) -> double", Some(to_double)),
    Row("duration", "duration_to_duration", "(duration) -> duration", Some(same)),
    Row("duration", "string_to_duration", "(string) -> duration", Some(to_duration)),
    Row("int", "int64_to_int64", "(int) -> int", Some(same)),
    Row("int", "double_to_int64", "(double) -> int", Some(to_int)),
    Row("int", "duration_to_int64", "(duration) -> int", Some(to_int)),
    Row("int", "string_to_int64", "(string) -> int", Some(to_int)),
    Row("int", "timestamp_to_int64", "(timestamp) -> int", Some(to_int)),
    Row("int", "uint64_to_int64", "(uint) -> int", Some(to_int)),
    Row("string", "string_to_string", "(string) -> string", Some(same)),
    Row("string", "bool_to_string", "(bool) -> string", Some(to_string)),
    Row("string", "bytes_to_string", "(bytes) -> string", Some(to_string)),
    Row("string", "double_to_string", "(double) -> string", Some(to_string)),
    Row("string", "duration_to_string", "(duration) -> string", Some(to_string)),
    Row("string", "int64_to_string", "(int) -> string", Some(to_string)),
    Row("string", "timestamp_to_string", "(timestamp) -> string", Some(to_string)),
    Row("string", "uint64_to_string", "(uint) -> string", Some(to_string)),
    Row("timestamp", "timestamp_to_timestamp", "(timestamp) -> timestamp", Some(same)),
    Row("timestamp", "int64_to_timestamp", "(int) -> timestamp", Some(to_timestamp)),
    Row("timestamp", "string_to_timestamp", "(string) -> timestamp", Some(to_timestamp)),
    Row("uint", "uint64_to_uint64", "(uint) -> uint", Some(same)),
    Row("uint", "double_to_uint64", "(double) -> uint", Some(to_uint)),
    Row("uint", "int64_to_uint64", "(int) -> uint", Some(to_uint)),
    Row("uint", "string_to_uint64", "(string) -> uint", Some(to_uint)),
];

fn same<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    args.first().cloned().ok_or(EvalError::Failed)
}

/// Converts the only argument.
fn convert<'a>(args: &[Value<'a>], to: impl FnOnce(&Value<'a>) -> Option<Value<'a>>) -> Result<Value<'a>, EvalError> {
    args.first().and_then(to).ok_or(EvalError::Failed)
}

fn to_bool<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    convert(args, |value| match value {
        Value::String(text) => match &**text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(Value::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(Value::Bool(false)),
            _ => None,
        },
        _ => None,
    })
}

fn to_bytes<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    convert(args, |value| match value {
        Value::String(text) => Some(Value::Bytes(text.as_bytes().into())),
        _ => None,
    })
}

fn to_double<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    convert(args, |value| match value {
        Value::Int(int) => Some(Value::Double(*int as f64)),
        Value::Uint(uint) => Some(Value::Double(*uint as f64)),
        Value::String(text) => parse_float(text).ok().map(Value::Double),
        _ => None,
    })
}

fn to_duration<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    convert(args, |value| match value {
        Value::String(text) => parse_span(text).map(Value::Duration),
        _ => None,
    })
}

fn to_int<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    convert(args, |value| match value {
        Value::Double(number) => {
            let fits = *number > i64::MIN as f64 && *number < i64::MAX as f64;
            fits.then_some(Value::Int(*number as i64))
        }
        Value::Duration(nanoseconds) => Some(Value::Int(*nanoseconds)),
        Value::String(text) => text.parse().ok().map(Value::Int),
        Value::Timestamp(timestamp) => Some(Value::Int(timestamp.parts().0)),
        Value::Uint(uint) => i64::try_from(*uint).ok().map(Value::Int),
        _ => None,
    })
}

fn to_uint<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    convert(args, |value| match value {
        Value::Double(number) => {
            let fits = *number >= 0.0 && *number < u64::MAX as f64;
            fits.then_some(Value::Uint(*number as u64))
        }
        Value::Int(int) => u64::try_from(*int).ok().map(Value::Uint),
        // Go accepts no sign here.
        Value::String(text) if !text.starts_with('+') => text.parse().ok().map(Value::Uint),
        _ => None,
    })
}

fn to_timestamp<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    convert(args, |value| match value {
        Value::Int(seconds) => Timestamp::new(*seconds, 0, 0).map(Value::Timestamp),
        Value::String(text) => Timestamp::parse(text).map(Value::Timestamp),
        _ => None,
    })
}

fn to_string<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    convert(args, |value| {
        let text = match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(int) => int.to_string(),
            Value::Uint(uint) => uint.to_string(),
            Value::Double(number) => format_g(*number),
            Value::Bytes(bytes) => String::from_utf8(bytes.to_vec()).ok()?,
            Value::Duration(nanoseconds) => span_text(*nanoseconds),
            Value::Timestamp(timestamp) => timestamp.text(),
            _ => return None,
        };
        Some(Value::string(text))
    })
}
