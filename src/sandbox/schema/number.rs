//! Validation of numbers.

use serde_json::{Number, Value};

use super::check::{At, Found};
use super::node::Node;
use super::words;

/// Checks a number against the format and the bounds of a schema.
pub(super) fn number(number: &Number, node: &Node, at: &At<'_>, found: &mut Found) {
    found.checks += 1;
    let value = Value::Number(number.clone());
    let float = number.as_f64().unwrap_or_default();
    if let Some(format) = out_of_range(number, node) {
        let type_ = node.types();
        let format = if format.is_empty() { "(default format)".to_owned() } else { format!("with format {format}") };
        found.add(words::nowhere(&format!("Checked value must be of type {type_} {format} in {}", at.text())));
    }
    let mut wrong = |why: &str, bound: f64| {
        let why = format!("{why} {}", bound_text(number, bound));
        found.add(words::wrong(&at.place, &value, &at.text(), &why));
    };
    if let Some(factor) = node.bounds.multiple_of.filter(|factor| !is_multiple(float, *factor)) {
        wrong("should be a multiple of", factor);
    }
    match node.bounds.minimum {
        Some((bound, false)) if float < bound => wrong("should be greater than or equal to", bound),
        Some((bound, true)) if float <= bound => wrong("should be greater than", bound),
        _ => {}
    }
    match node.bounds.maximum {
        Some((bound, false)) if float > bound => wrong("should be less than or equal to", bound),
        Some((bound, true)) if float >= bound => wrong("should be less than", bound),
        _ => {}
    }
}

/// Formats a bound as an integer or as a float, like the value.
fn bound_text(number: &Number, bound: f64) -> String {
    if number.is_f64() { words::float_text(bound) } else { format!("{bound:.0}") }
}

fn is_multiple(float: f64, factor: f64) -> bool {
    let times = if factor < 1.0 { float * (1.0 / factor) } else { float / factor };
    (times - times.round()).abs() < 1e-9 * times.abs().max(1.0)
}

/// Returns the integer format (empty for the default format) if a number is not representable in it.
fn out_of_range<'n>(number: &Number, node: &'n Node) -> Option<&'n str> {
    if !node.takes("integer") || node.int_or_string {
        return None;
    }
    let fits = match number.as_i64() {
        Some(int) => node.format != "int32" || i32::try_from(int).is_ok(),
        None => number.as_f64().is_some_and(|float| {
            let limit: f64 = if node.format == "int32" { 2_147_483_648.0 } else { 9_223_372_036_854_775_808.0 };
            // From 1e21 on, Go prints the number with an exponent and then cannot parse it as an integer.
            float.fract() == 0.0 && float.abs() < limit.min(1e21)
        }),
    };
    (!fits).then_some(node.format.as_str())
}
