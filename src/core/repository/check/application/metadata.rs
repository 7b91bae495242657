//! The name, the namespace, the version and the annotations of an application.

use crate::application::{PUBLISH_VERSION, REVISION_ONLY, is_candidate, revision_only};
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_model::name::ClusterName;

/// Adds the problems of the metadata.
pub(super) fn check(notes: &mut Notes<'_>) {
    names(notes);
    version(notes);
    without_effect(notes);
}

/// Adds the problems of the name and the namespace.
pub(super) fn names(notes: &mut Notes<'_>) {
    let object = notes.object;
    if object.key.namespace.is_empty() {
        let message = "metadata.namespace is missing; add it: it is also the namespace of the objects on the clusters";
        notes.error(object.origin_of(&["metadata"]), message);
    }
    for (member, name) in [("name", &object.key.name), ("namespace", &object.key.namespace)] {
        if let Some(why) = misnamed(name).filter(|_| !name.is_empty()) {
            let message = format!("metadata.{member} {name:?} is not a valid name: {why}");
            notes.error(object.origin_of(&["metadata", member]), message);
        }
    }
}

/// Adds a warning about an annotation that does not make the application a candidate.
fn without_effect(notes: &mut Notes<'_>) {
    let object = notes.object;
    if let Some(value) = revision_only(object).filter(|_| !is_candidate(object)) {
        let at = path(&["metadata", "annotations"]).member(REVISION_ONLY);
        let message = format!(
            "{at} is {value}, which has no effect, so the application is rolled out; write \"true\" to keep it a candidate, or remove it"
        );
        notes.warning(object.value_origin(&at), message);
    }
}

/// Returns what is wrong with a name that becomes a part of the names of works.
fn misnamed(name: &str) -> Option<&'static str> {
    let is_label = name.parse::<ClusterName>().is_ok() && !name.contains('.');
    match name.len() {
        64.. => Some("it is longer than 63 characters"),
        _ if !is_label => Some("write lower-case letters, digits and '-', with a letter or digit at both ends"),
        _ => None,
    }
}

/// Adds a complaint about a version that is not the value of a label.
fn version(notes: &mut Notes<'_>) {
    let at = path(&["metadata", "annotations"]).member(PUBLISH_VERSION);
    let annotations = notes.object.value.pointer("/metadata/annotations");
    let Some(version) = annotations.and_then(|annotations| annotations.get(PUBLISH_VERSION)?.as_str()) else { return };
    let is_edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let is_valid = version.len() <= 63
        && is_edge(version.chars().next())
        && is_edge(version.chars().last())
        && version.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if !is_valid {
        let message = format!(
            "{at} is {version:?}; write letters, digits, '-', '_' and '.', with a letter or digit at both ends, and at most 63 characters"
        );
        notes.error(notes.object.value_origin(&at), message);
    }
}
