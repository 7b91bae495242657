//! Values whose schema depends on a type beside them.

use serde_json::Value;

use crate::application::Types;
use crate::check::wording::wording;
use crate::read::notes::Notes;
use tidegate_api::schema::Schema;
use tidegate_api::schema::check::{Violation, violations};
use tidegate_api::schema::path::Path;
use tidegate_model::near::remedy;

/// Returns the items of a list, each with its index; none if there is no list.
pub(super) fn listed<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = (usize, &'v Value)> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten().enumerate()
}

/// Adds the problems of the type and the properties of a component or trait.
pub(super) fn properties(notes: &mut Notes<'_>, (at, given): (&Path, &Value), types: &Types) {
    let type_ = given.get("type").and_then(Value::as_str).filter(|type_| !type_.is_empty());
    let Some(type_) = type_ else { return };
    match types.schema(type_) {
        None => {
            let at = at.member("type");
            let message = match types.unsupported(type_) {
                Some(instead) => {
                    format!("{at} is {type_}, which KubeVela has and Tidegate does not support yet; {instead}")
                }
                None => {
                    let remedy = remedy(type_, types.names());
                    format!("{at} is {type_:?}, which is not a known {} type; {remedy}", types.what)
                }
            };
            notes.error(notes.object.value_origin(&at), message);
        }
        Some(schema) => {
            let none = Value::Object(serde_json::Map::new());
            conform(notes, (&at.member("properties"), given.get("properties").unwrap_or(&none)), schema);
        }
    }
}

/// Adds the violations of a schema by a value at a path.
pub(super) fn conform(notes: &mut Notes<'_>, (at, given): (&Path, &Value), schema: &Schema) {
    let object = notes.object;
    for (below, violation) in violations(given, schema) {
        let found = Path(at.0.iter().chain(&below.0).cloned().collect());
        let origin = match violation {
            Violation::Unknown { .. } | Violation::Missing => object.key_origin(&found),
            _ => object.value_origin(&found),
        };
        notes.error(origin, wording(&object.value, &found, &violation));
    }
}
