//! Checks of single values that several kinds of objects share.

use serde_json::Value;

use crate::read::notes::Notes;
use tidegate_api::schema::path::Path;
use tidegate_go::float::parse_float;
use tidegate_model::near::remedy;

/// Returns the items of a list, with their positions.
pub(super) fn items(list: Option<&Value>) -> impl Iterator<Item = (usize, &Value)> {
    list.and_then(Value::as_array).into_iter().flatten().enumerate()
}

/// Adds a complaint about a string that is not one of the known values.
pub(super) fn one_of(notes: &mut Notes<'_>, at: Path, value: Option<&Value>, known: &[&str]) {
    if let Some(word) = value.and_then(Value::as_str).filter(|word| !word.is_empty() && !known.contains(word)) {
        let origin = notes.object.value_origin(&at);
        notes.error(origin, format!("{at} is {word:?}; {}", remedy(word, known.iter().copied())));
    }
}

/// Returns `true` for 0 and `0%`.
pub(super) fn is_zero(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.strip_suffix('%').is_some_and(|number| parse_float(number) == Ok(0.0)),
        _ => false,
    }
}

/// Adds a complaint about a number in quotes: upstream treats a string as a percentage, and fails if it has no `%`.
/// Also adds one about a negative number.
pub(super) fn threshold(notes: &mut Notes<'_>, at: &Path, value: Option<&Value>) {
    let origin = notes.object.value_origin(at);
    match value {
        Some(Value::String(text)) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            let message =
                format!("{at} is the string {text:?}; write the number {text} without quotes, or \"{text}%\"");
            notes.error(origin, message);
        }
        Some(Value::Number(number)) if number.as_f64().is_some_and(|number| number < 0.0) => {
            notes.error(origin, format!("{at} is {number}; write a number that is not negative"));
        }
        _ => {}
    }
}
