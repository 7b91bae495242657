//! Encodes the value of a Go variable as JSON.

use serde_json::{Map, Value};

use super::held::Held;
use super::shape::{Struct, Type};
use tidegate_go::base64;
use tidegate_go::json::{Json, OutOfRange};
use tidegate_go::quote::go_quoted;

/// Returns the JSON that Go produces when it converts a variable to a generic object.
///
/// # Errors
/// Go's error message for raw JSON with a number that is too large.
///
/// # Source
/// apimachinery `runtime.DefaultUnstructuredConverter.ToUnstructured`.
pub(super) fn encoded(held: &Held<'_>, of: &Type) -> Result<Value, String> {
    Ok(match (held, of) {
        (held, Type::Pointer(to)) if !matches!(held, Held::Nil) => encoded(held, to)?,
        (Held::Text(text), _) => Value::from(text.as_str()),
        (Held::Flag(flag), _) => Value::from(*flag),
        (Held::Integer(number), _) => Value::from(*number),
        (Held::Bytes(bytes), _) => Value::from(base64::encode(bytes)),
        (Held::Quantity(text), _) => Value::from(text.as_str()),
        (Held::Raw(Some(json)), _) => json.to_value_without_overwritten().map_err(|fault| raw_fault(json, &fault))?,
        (Held::List(list), Type::List(item)) => {
            let items = list.items.iter().take(list.length);
            Value::Array(items.map(|held| encoded(held, item)).collect::<Result<_, _>>()?)
        }
        (Held::Map(members), Type::Map(_, value)) => {
            let members = members.iter().map(|(name, held)| Ok((name.clone(), encoded(held, value)?)));
            Value::Object(members.collect::<Result<_, String>>()?)
        }
        (Held::Struct(fields), Type::Struct(of)) => Value::Object(encoded_struct(fields, of)?),
        _ => Value::Null,
    })
}

fn encoded_struct(fields: &[Held<'_>], of: &Struct) -> Result<Map<String, Value>, String> {
    let mut members = Map::new();
    for (held, field) in fields.iter().zip(of.fields) {
        if !(field.omit_empty && held.is_empty(&field.of)) {
            members.insert(field.name.to_owned(), encoded(held, &field.of)?);
        }
    }
    Ok(members)
}

fn raw_fault(json: &Json<'_>, fault: &OutOfRange) -> String {
    let inside = |what: &str| {
        let spelled = go_quoted(&fault.0);
        format!("error decoding {what} from json: strconv.ParseFloat: parsing {spelled}: value out of range")
    };
    match json {
        Json::Object(_) => inside("object"),
        Json::Array(_) => inside("array"),
        _ => format!("error decoding number from json: {fault}"),
    }
}
