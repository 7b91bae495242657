//! Values whose schema depends on a type beside them.

use serde_json::{Map, Value};

use crate::application::Types;
use crate::check::wording::wording;
use crate::definition::{Definitions, SHARED};
use crate::read::notes::Notes;
use tidegate_api::schema::Schema;
use tidegate_api::schema::check::{Violation, violations_of_value};
use tidegate_api::schema::path::Path;
use tidegate_model::near::nearest;

/// What has the types of traits.
const TRAIT: &str = "trait";

/// Returns the items of a list, each with its index; none if there is no list.
pub(super) fn listed<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = (usize, &'v Value)> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten().enumerate()
}

/// Adds the problems of the type and the properties of a component or trait. The type is built in, or the repository defines it.
pub(super) fn properties(
    notes: &mut Notes<'_>,
    (at, given): (&Path, &Value),
    types: &Types,
    definitions: &Definitions,
) {
    let type_ = given.get("type").and_then(Value::as_str).filter(|type_| !type_.is_empty());
    let Some(type_) = type_ else { return };
    let (at_type, at_properties) = (at.member("type"), at.member("properties"));
    let none = Value::Object(Map::new());
    let properties = given.get("properties").unwrap_or(&none);
    if let Some(schema) = types.schema(type_) {
        return conform(notes, (&at_properties, properties), schema);
    }
    let namespace = &notes.object.key.namespace;
    let defined = match types.what {
        TRAIT => definitions.of_trait(namespace, type_).map(|known| known.as_ref().map(|type_| &type_.parameters)),
        _ => definitions.component(namespace, type_).map(|known| known.as_ref().map(|type_| &type_.parameters)),
    };
    match defined {
        Some(Ok(parameters)) => {
            let before = notes.complaints.len();
            conform(notes, (&at_properties, properties), parameters.schema());
            let is_sound = notes.complaints.len() == before;
            let broken =
                properties.as_object().filter(|_| is_sound).map(|given| parameters.broken(given, &definitions.work));
            for (below, why) in broken.into_iter().flatten() {
                let found = Path(at_properties.0.iter().cloned().chain(below.0).collect());
                notes.error(notes.object.value_origin(&found), format!("{found} {why}"));
            }
        }
        Some(Err(place)) => {
            let message = format!("{at_type} is {type_}, whose definition at {place} has an error; fix it there");
            notes.error(notes.object.value_origin(&at_type), message);
        }
        None => {
            notes.error(notes.object.value_origin(&at_type), unknown(&at_type, type_, (types, definitions), namespace))
        }
    }
}

/// Returns the message about a type that is neither built in nor defined.
fn unknown(at: &Path, type_: &str, (types, definitions): (&Types, &Definitions), namespace: &str) -> String {
    let what = types.what;
    if let Some(instead) = types.unsupported(type_) {
        return format!("{at} is {type_}, which KubeVela has and Tidegate does not support yet; {instead}");
    }
    let built_in: Vec<&str> = types.names().collect();
    let mut known = [definitions.names(namespace, what == TRAIT), built_in].concat();
    known.sort_unstable();
    known.dedup();
    let remedy = match nearest(type_, known.iter().copied()) {
        Some(near) => format!("did you mean {near:?}?"),
        None => format!("known are {}", known.join(", ")),
    };
    let namespaces = if namespace == SHARED {
        format!("namespace {SHARED}")
    } else {
        format!("namespaces {namespace} and {SHARED}")
    };
    format!("no {what} type {type_:?}; {remedy} (definitions are looked for in {namespaces})")
}

/// Adds the violations of a schema by a value at a path.
pub(super) fn conform(notes: &mut Notes<'_>, (at, given): (&Path, &Value), schema: &Schema) {
    let object = notes.object;
    for (below, violation) in violations_of_value(given, schema) {
        let found = Path(at.0.iter().chain(&below.0).cloned().collect());
        let origin = match violation {
            Violation::Unknown { .. } | Violation::Missing => object.key_origin(&found),
            _ => object.value_origin(&found),
        };
        notes.error(origin, wording(&object.value, &found, &violation));
    }
}
