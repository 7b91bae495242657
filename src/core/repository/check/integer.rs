//! Reports integers that no API server can hold.

use serde_json::Value;

use crate::read::notes::Notes;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;

/// Adds a complaint for each number that is out of range for the integer type of its field.
///
/// # Source
/// Kubernetes holds an `IntOrString` in 32 bits, and other integers in the number of bits of their format.
pub(super) fn check(notes: &mut Notes<'_>) {
    let object = notes.object;
    if let Some(schema) = object.schema {
        value(notes, &Path::default(), &object.value, schema);
    }
}

fn value(notes: &mut Notes<'_>, at: &Path, found: &Value, schema: &Schema) {
    if notes.is_full() {
        return;
    }
    match found {
        Value::Number(number) => {
            let Some((least, most)) = bounds(schema) else { return };
            if number.as_i64().is_none_or(|number| !(least..=most).contains(&number)) {
                let origin = notes.object.value_origin(at);
                notes.error(origin, format!("{at} is {number}; write a whole number from {least} to {most}"));
            }
        }
        Value::Array(items) => {
            let Some(schema) = &schema.items else { return };
            items.iter().enumerate().for_each(|(index, item)| value(notes, &at.item(index), item, schema));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                if let Some(schema) = schema.of_field(name) {
                    value(notes, &at.member(name), field, schema);
                }
            }
        }
        _ => {}
    }
}

/// Returns the smallest and the largest integer that a schema allows; `None` if it is not for integers.
fn bounds(schema: &Schema) -> Option<(i64, i64)> {
    if schema.int_or_string || (schema.type_ == "integer" && schema.format == "int32") {
        return Some((i32::MIN.into(), i32::MAX.into()));
    }
    (schema.type_ == "integer").then_some((i64::MIN, i64::MAX))
}
