//! Named formats of strings.
//!
//! # Source
//! `k8s.io/apiserver` pkg/cel/library/format.go.

use crate::context::{Context, EvalError};
use crate::library::declaration::Row;
use crate::value::{NamedFormat, Value};

pub(in crate::library) const ROWS: &[Row] = &[
    Row("validate", "format-validate", "format.(string) -> optional(list(string))", Some(validate)),
    Row("format.named", "format-named", "(string) -> optional(format)", Some(named)),
    Row("format.dns1123Label", "format.dns1123Label", "() -> format", Some(|_, _| constant("dns1123Label"))),
    Row(
        "format.dns1123Subdomain",
        "format.dns1123Subdomain",
        "() -> format",
        Some(|_, _| constant("dns1123Subdomain")),
    ),
    Row("format.dns1035Label", "format.dns1035Label", "() -> format", Some(|_, _| constant("dns1035Label"))),
    Row("format.qualifiedName", "format.qualifiedName", "() -> format", Some(|_, _| constant("qualifiedName"))),
    Row(
        "format.dns1123LabelPrefix",
        "format.dns1123LabelPrefix",
        "() -> format",
        Some(|_, _| constant("dns1123LabelPrefix")),
    ),
    Row(
        "format.dns1123SubdomainPrefix",
        "format.dns1123SubdomainPrefix",
        "() -> format",
        Some(|_, _| constant("dns1123SubdomainPrefix")),
    ),
    Row(
        "format.dns1035LabelPrefix",
        "format.dns1035LabelPrefix",
        "() -> format",
        Some(|_, _| constant("dns1035LabelPrefix")),
    ),
    Row("format.labelValue", "format.labelValue", "() -> format", Some(|_, _| constant("labelValue"))),
    Row("format.uri", "format.uri", "() -> format", Some(|_, _| constant("uri"))),
    Row("format.uuid", "format.uuid", "() -> format", Some(|_, _| constant("uuid"))),
    Row("format.byte", "format.byte", "() -> format", Some(|_, _| constant("byte"))),
    Row("format.date", "format.date", "() -> format", Some(|_, _| constant("date"))),
    Row("format.datetime", "format.datetime", "() -> format", Some(|_, _| constant("datetime"))),
];

fn constant<'a>(name: &str) -> Result<Value<'a>, EvalError> {
    NamedFormat::find(name).map(Value::Format).ok_or(EvalError::Failed)
}

fn named<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    match args {
        [Value::String(name)] => {
            Ok(NamedFormat::find(name).map_or(Value::NONE, |format| Value::some(Value::Format(format))))
        }
        _ => Err(EvalError::Failed),
    }
}

fn validate<'a>(_: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::Format(format), Value::String(text)] = args else { return Err(EvalError::Failed) };
    let errors = format.errors(text);
    if errors.is_empty() {
        return Ok(Value::NONE);
    }
    Ok(Value::some(Value::list(errors.into_iter().map(Value::string).collect())))
}
