//! Fields of objects.

use serde_json::{Map, Value};

/// Sets a value at a path of fields. Fields that are absent are added; a value on the way that is no map stays as it is.
pub(crate) fn set(value: &mut Value, fields: &[&str], to: Value) {
    let Some((field, rest)) = fields.split_first() else { return };
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    let Some(members) = value.as_object_mut() else { return };
    match rest {
        [] => drop(members.insert((*field).to_owned(), to)),
        rest => set(members.entry(*field).or_insert(Value::Null), rest, to),
    }
}
