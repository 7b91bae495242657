//! Validation of numbers.

use serde_json::{Number, Value};

use super::errors::{At, Errors};
use super::messages;
use tidegate_api::schema::Schema;

/// Checks a number against the format and the bounds of a schema.
pub(super) fn number(number: &Number, schema: &Schema, at: &At<'_>, errors: &mut Errors) {
    errors.checks += 1;
    let value = Value::Number(number.clone());
    let float = number.as_f64().unwrap_or_default();
    if let Some(format) = out_of_range(number, schema) {
        let type_ = messages::types(schema);
        let format = if format.is_empty() { "(default format)".to_owned() } else { format!("with format {format}") };
        errors
            .add(messages::without_field(&format!("Checked value must be of type {type_} {format} in {}", at.text())));
    }
    let mut wrong = |why: &str, bound: f64| {
        let why = format!("{why} {}", bound_text(number, bound));
        errors.add(messages::wrong(&at.place, &value, &at.text(), &why));
    };
    if let Some(factor) = schema.bounds.multiple_of.filter(|factor| !is_multiple(float, *factor)) {
        wrong("should be a multiple of", factor);
    }
    if let Some(min) = schema.bounds.minimum.filter(|min| min.is_above(float)) {
        wrong(
            if min.is_exclusive { "should be greater than" } else { "should be greater than or equal to" },
            min.value,
        );
    }
    if let Some(max) = schema.bounds.maximum.filter(|max| max.is_below(float)) {
        wrong(if max.is_exclusive { "should be less than" } else { "should be less than or equal to" }, max.value);
    }
}

/// Formats a bound as an integer or as a float, like the value.
fn bound_text(number: &Number, bound: f64) -> String {
    if number.is_f64() { messages::float_text(bound) } else { format!("{bound:.0}") }
}

fn is_multiple(float: f64, factor: f64) -> bool {
    let times = if factor < 1.0 { float * (1.0 / factor) } else { float / factor };
    (times - times.round()).abs() < 1e-9 * times.abs().max(1.0)
}

/// Returns the integer format (empty for the default format) if a number is not representable in it.
fn out_of_range<'n>(number: &Number, schema: &'n Schema) -> Option<&'n str> {
    if !schema.allows_type("integer") || schema.int_or_string {
        return None;
    }
    let fits = match number.as_i64() {
        Some(int) => schema.format != "int32" || i32::try_from(int).is_ok(),
        None => number.as_f64().is_some_and(|float| {
            let limit: f64 = if schema.format == "int32" { 2_147_483_648.0 } else { 9_223_372_036_854_775_808.0 };
            // From 1e21 on, Go prints the number with an exponent and then cannot parse it as an integer.
            float.fract() == 0.0 && float.abs() < limit.min(1e21)
        }),
    };
    (!fits).then_some(schema.format.as_str())
}
