//! Reports violations of the schema of an object's kind, with their places.

use super::wording::wording;
use crate::repository::notes::Notes;
use tidegate_api::schema::check::{Fault, faults};

/// Adds the schema violations. Kinds without a schema are not checked.
pub(super) fn check(notes: &mut Notes<'_>) {
    let object = notes.object;
    let Some(schema) = object.schema else { return };
    for (path, fault) in faults(&object.value, schema) {
        if notes.is_full() {
            return;
        }
        let mark = match fault {
            Fault::Unknown { .. } | Fault::Missing => object.node.key_mark(&path),
            _ => object.node.value_mark(&path),
        };
        notes.error(mark, wording(&object.value, &path, &fault));
    }
}
