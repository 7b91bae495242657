//! Validation errors with the messages of a real server.

use serde_json::{Number, Value};

use crate::api_error::Cause;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Place;
use tidegate_go::float::format_g_in;
use tidegate_go::quote::go_quoted;

/// The `field` of an error that belongs to no field.
const NOWHERE: &str = "<nil>";

/// Returns the types that a schema allows, as messages show them.
pub(super) fn types(schema: &Schema) -> &str {
    if schema.int_or_string { "integer,string" } else { &schema.type_ }
}

/// Returns the cause for a value of the wrong type; `found` is the name of its type, or the value itself.
pub(super) fn wrong_type(place: &Place<'_>, at: &str, expected: &str, found: &str) -> Cause {
    let found = go_quoted(found);
    let message = format!("Invalid value: {found}: {at} in body must be of type {expected}: {found}");
    Cause::new("FieldValueTypeInvalid", place.to_string(), message)
}

/// Returns the cause for an invalid value; `why` follows the path in the message.
pub(super) fn wrong(place: &Place<'_>, value: &Value, at: &str, why: &str) -> Cause {
    Cause::invalid(place.to_string(), &shown(value), &format!("{at} in body {why}"))
}

/// Returns the cause for an error that belongs to no field.
pub(super) fn without_field(why: &str) -> Cause {
    Cause::invalid(NOWHERE, "\"\"", why)
}

/// Returns the cause that reports that validation rules were not checked.
pub(super) fn rules_not_checked() -> Cause {
    let why = "some validation rules were not checked because the object was invalid; correct the existing errors to \
               complete validation";
    Cause::invalid(NOWHERE, "null", why)
}

/// Returns the cause for a missing required field.
pub(super) fn missing(field: String) -> Cause {
    Cause::new("FieldValueRequired", field, "Required value")
}

/// Returns the cause for a value that is not one of the allowed values.
pub(super) fn not_allowed(place: &Place<'_>, value: &Value, allowed: &[Value]) -> Cause {
    let text = |value: &Value| go_quoted(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let allowed: Vec<String> = allowed.iter().map(text).collect();
    let message = format!("Unsupported value: {}: supported values: {}", shown(value), allowed.join(", "));
    Cause::new("FieldValueNotSupported", place.to_string(), message)
}

/// Returns the cause for a string that is too long. A real server counts characters but the message says bytes.
pub(super) fn too_long(place: &Place<'_>, most: u64) -> Cause {
    let unit = if most == 1 { "byte" } else { "bytes" };
    Cause::new("FieldValueTooLong", place.to_string(), format!("Too long: may not be more than {most} {unit}"))
}

/// Returns the cause for too many items or fields.
pub(super) fn too_many(place: &Place<'_>, count: usize, most: u64) -> Cause {
    let unit = if most == 1 { "item" } else { "items" };
    Cause::new("FieldValueTooMany", place.to_string(), format!("Too many: {count}: must have at most {most} {unit}"))
}

/// Returns the cause for a duplicate value.
pub(super) fn duplicate(place: &Place<'_>, value: &Value) -> Cause {
    Cause::new("FieldValueDuplicate", place.to_string(), format!("Duplicate value: {}", shown(value)))
}

/// Formats a value as field errors show it.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => go_quoted(text),
        Value::Number(number) => number_text(number),
        // Go's JSON encoder escapes the characters that are special in HTML.
        other => other.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"),
    }
}

/// Formats a number like Go's `%v`.
pub(super) fn number_text(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => float_text(float),
        _ => number.to_string(),
    }
}

/// Formats a floating-point number like Go's `%v`.
pub(super) fn float_text(float: f64) -> String {
    format_g_in(float, -4..21)
}
