//! Objects of Kubernetes' own kinds: whether there is such a kind, and whether it may have this name and namespace.
//!
//! # Source
//! Kubernetes "Object Names and IDs", and the validation of each kind's name in kube-apiserver.

use super::builtin::{Names, builtin, group_of, is_group, kinds};
use crate::repository::complaint::Notes;
use tidegate_model::name::ClusterName;
use tidegate_model::near::nearest;

/// Adds what is wrong with an object of a group of Kubernetes itself.
pub(super) fn check(notes: &mut Notes<'_>) {
    let key = &notes.object.key;
    if !is_group(&key.group) {
        return;
    }
    let Some(known) = builtin(&key.group, &key.kind) else { return unknown(notes) };
    let (kind, name, namespace) = (key.kind.as_str(), key.name.as_str(), key.namespace.as_str());
    if let Some(why) = refused(known.names, name) {
        let message = format!("metadata.name {name:?} is not a valid name of a {kind}: {why}");
        notes.error(notes.object.mark_of(&["metadata", "name"]), message);
    }
    if known.namespaced && namespace.is_empty() {
        let mark = notes.object.mark_of(&["metadata"]);
        notes.warning(mark, format!("metadata.namespace is missing; every {kind} lives in a namespace, write which"));
    } else if !known.namespaced && !namespace.is_empty() {
        let mark = notes.object.mark_of(&["metadata", "namespace"]);
        let message = format!("metadata.namespace is {namespace:?}, but no {kind} lives in a namespace; remove it");
        notes.warning(mark, message);
    }
}

/// Adds a complaint on a kind that the group does not have. A hub may be younger than this program, so that a kind that resembles
/// none gets a warning.
fn unknown(notes: &mut Notes<'_>) {
    let key = &notes.object.key;
    let group = if key.group.is_empty() { "the core group (v1)" } else { key.group.as_str() };
    let (kind, mark) = (&key.kind, notes.object.mark_of(&["kind"]));
    if let Some(near) = nearest(kind, kinds(&key.group)) {
        return notes.error(mark, format!("kind {kind:?} is not known in {group}; did you mean {near:?}?"));
    }
    let remedy = match group_of(kind) {
        Some("") => "it is in v1, correct the apiVersion".to_owned(),
        Some(right) => format!("it is in {right}, correct the apiVersion"),
        None => "correct it, unless the hub has such a kind".to_owned(),
    };
    notes.warning(mark, format!("kind {kind:?} is not known in {group}; {remedy}"));
}

/// Returns why an API server would refuse a name.
fn refused(names: Names, name: &str) -> Option<&'static str> {
    match names {
        Names::Path => None,
        Names::Label if name.len() > 63 || name.contains('.') => Some("at most 63 characters and no '.'"),
        Names::Label | Names::Subdomain => name.parse::<ClusterName>().err().map(|error| error.why),
    }
}
