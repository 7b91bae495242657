//! Faults by the schema of an object's kind, at their places.

use super::wording::wording;
use crate::repository::complaint::Notes;
use tidegate_api::schema::check::{Fault, faults};

/// Adds what the schema finds wrong. Nothing is checked on kinds without a schema.
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
