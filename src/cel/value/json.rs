//! Conversion of JSON to values.

use serde_json::Value as Json;

use super::data::{Built, List, Map, Str, Value};

/// Borrows the JSON of an object of the hub.
impl<'a> From<&'a Json> for Value<'a> {
    fn from(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(int) => Self::Int(int),
                None => Self::Double(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(text) => Self::String(Str::Borrowed(text)),
            Json::Array(items) => Self::List(List::Json(items)),
            Json::Object(members) => Self::Map(Map::Json(members)),
        }
    }
}

/// Converts JSON parsed from a string; every number becomes a floating-point number.
pub(crate) fn owned<'a>(json: Json) -> Value<'a> {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => Value::Double(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => Value::string(text),
        Json::Array(items) => Value::list(items.into_iter().map(owned).collect()),
        Json::Object(members) => {
            let mut built = Built::default();
            members.into_iter().for_each(|(key, value)| built.insert(Value::string(key), owned(value)));
            Value::Map(Map::of(built))
        }
    }
}
