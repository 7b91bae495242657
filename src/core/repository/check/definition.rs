//! What is wrong with a definition, with the place of each mistake.

use super::wording::wording;
use crate::application::{COMPONENTS, TRAITS};
use crate::definition::{Definitions, Mistake, TRAIT};
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::check::Violation;

/// Adds the problems of a definition that its schema does not show.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    let object = notes.object;
    if object.key.namespace.is_empty() {
        let message = "metadata.namespace is missing; add the namespace of the applications, or vela-system for those of all namespaces";
        notes.error(object.origin_of(&["metadata"]), message);
    }
    let (built_in, what) = if object.key.kind == TRAIT { (&TRAITS, "trait") } else { (&COMPONENTS, "component") };
    if built_in.schema(&object.key.name).is_some() {
        let at = path(&["metadata", "name"]);
        let message = format!("{at} is {:?}, which is a {what} type that is built in; rename it", object.key.name);
        notes.error(object.value_origin(&at), message);
    }
    mistakes(notes, definitions.mistakes(&object.key));
}

/// Adds the mistakes that were found when a definition was read.
pub(super) fn mistakes(notes: &mut Notes<'_>, mistakes: &[Mistake]) {
    let object = notes.object;
    for mistake in mistakes {
        match mistake {
            Mistake::At { at, is_key: true, message } => notes.error(object.key_origin(at), message),
            Mistake::At { at, message, .. } => notes.error(object.value_origin(at), message),
            Mistake::Violation { at, violation } => {
                let origin = match violation {
                    Violation::Unknown { .. } | Violation::Missing => object.key_origin(at),
                    _ => object.value_origin(at),
                };
                notes.error(origin, wording(&object.value, at, violation));
            }
        }
    }
}
