//! Definitions that may be hidden in files that could not be read.

use crate::application::is_application;
use crate::application::used::used;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::definition::{Definitions, SHARED};
use crate::read::notes::Notes;
use crate::read::object::Object;
use crate::read::unreadable::Unreadable;

/// Adds an error for each use of a shared definition where one of the application's own namespace may be in a file that could not be read:
/// the application would be rendered with the wrong one.
pub(crate) fn check(
    objects: &[Object],
    definitions: &Definitions,
    unreadable: &Unreadable<'_>,
    complaints: &mut Vec<Complaint>,
) {
    if unreadable.is_empty() {
        return;
    }
    for object in objects.iter().filter(|object| is_application(object) && object.key.namespace != SHARED) {
        let mut found = Vec::new();
        for used in used(&object.value, definitions).into_iter().filter(|used| used.key.namespace == SHARED) {
            let Some(file) = unreadable.that_may_declare(&used.key.name) else { continue };
            let (kind, name, namespace) = (&used.key.kind, &used.key.name, &object.key.namespace);
            let message = format!(
                "{} is {name}: {file}, which could not be read, may declare a {kind} of this name in namespace {namespace}; fix that file",
                used.at
            );
            Notes { object, complaints: &mut found }.error(object.value_origin(&used.at), message);
        }
        mark_from(&mut found, 0, Rule::Application);
        complaints.append(&mut found);
    }
}
