//! Conversion of JSON to values, and back.

use serde_json::{Map as JsonMap, Number, Value as Json};

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

/// Why a value has no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// JSON has no values of this type.
    Type(&'static str),
    /// It has more bytes than allowed.
    TooLarge,
}

/// Returns the JSON of a value, and takes its size from `room`. A value may contain others many times, so its size is not limited by that of
/// the expression.
///
/// # Errors
/// [`Unfit`]
pub(crate) fn to_json(value: &Value<'_>, room: &mut usize) -> Result<Json, Unfit> {
    let mut take = |bytes: usize| {
        *room = room.checked_sub(bytes).ok_or(Unfit::TooLarge)?;
        Ok(())
    };
    Ok(match value {
        Value::Null => {
            take(4)?;
            Json::Null
        }
        Value::Bool(value) => {
            take(4)?;
            Json::Bool(*value)
        }
        Value::Int(value) => {
            take(8)?;
            (*value).into()
        }
        Value::Uint(value) => {
            take(8)?;
            (*value).into()
        }
        Value::Double(value) => {
            take(8)?;
            Json::Number(Number::from_f64(*value).ok_or(Unfit::Type("double that is not a number"))?)
        }
        Value::String(text) => {
            take(text.len() + 2)?;
            Json::String(text.to_string())
        }
        Value::List(list) => {
            take(2 + list.len())?;
            Json::Array(list.iter().map(|item| to_json(&item, room)).collect::<Result<_, _>>()?)
        }
        Value::Map(map) => {
            take(2)?;
            let mut members = JsonMap::new();
            for key in map.keys() {
                let Value::String(name) = &key else { return Err(Unfit::Type("map with keys that are not strings")) };
                *room = room.checked_sub(name.len() + 4).ok_or(Unfit::TooLarge)?;
                let value = map.find(&key).unwrap_or(Value::Null);
                members.insert(name.to_string(), to_json(&value, room)?);
            }
            Json::Object(members)
        }
        other => return Err(Unfit::Type(other.type_name())),
    })
}
