//! Checks of objects of Kubernetes' own kinds: whether the kind exists, and whether name and namespace are valid for it.
//!
//! # Source
//! Kubernetes "Object Names and IDs", and the validation of each kind's name in kube-apiserver.

use super::builtin::{Names, builtin, group_of, is_group, kinds};
use crate::repository::read::notes::Notes;
use tidegate_model::name::ClusterName;
use tidegate_model::near::nearest;

/// Adds the problems of an object in one of Kubernetes' own groups.
pub(super) fn check(notes: &mut Notes<'_>) {
    let key = &notes.object.key;
    if !is_group(&key.group) {
        return;
    }
    let Some(known) = builtin(&key.group, &key.kind) else { return unknown(notes) };
    let (kind, name, namespace) = (key.kind.as_str(), key.name.as_str(), key.namespace.as_str());
    if let Some(why) = refused(known.names, name) {
        let message = format!("metadata.name {name:?} is not a valid name for a {kind}: {why}");
        notes.error(notes.object.origin_of(&["metadata", "name"]), message);
    }
    if known.namespaced && namespace.is_empty() {
        let origin = notes.object.origin_of(&["metadata"]);
        notes.warning(origin, format!("metadata.namespace is missing, but {kind} is a namespaced kind; add it"));
    } else if !known.namespaced && !namespace.is_empty() {
        let origin = notes.object.origin_of(&["metadata", "namespace"]);
        let message = format!("metadata.namespace is {namespace:?}, but {kind} is a cluster-scoped kind; remove it");
        notes.warning(origin, message);
    }
}

/// Adds a complaint about a kind that the group does not have. A kind that resembles no known kind is only a warning, because
/// a hub may be newer than this program.
fn unknown(notes: &mut Notes<'_>) {
    let key = &notes.object.key;
    let group = if key.group.is_empty() { "the core group (v1)" } else { key.group.as_str() };
    let (kind, origin) = (&key.kind, notes.object.origin_of(&["kind"]));
    if let Some(near) = nearest(kind, kinds(&key.group)) {
        return notes.error(origin, format!("kind {kind:?} is not known in {group}; did you mean {near:?}?"));
    }
    let remedy = match group_of(kind) {
        Some("") => "it is in v1, so correct the apiVersion".to_owned(),
        Some(right) => format!("it is in {right}, so correct the apiVersion"),
        None => "correct it, unless the hub has such a kind".to_owned(),
    };
    notes.warning(origin, format!("kind {kind:?} is not known in {group}; {remedy}"));
}

/// Returns the reason why an API server would refuse a name.
fn refused(names: Names, name: &str) -> Option<&'static str> {
    match names {
        Names::Path => None,
        Names::Label if name.len() > 63 || name.contains('.') => Some("at most 63 characters and no '.'"),
        Names::Label | Names::Subdomain => name.parse::<ClusterName>().err().map(|error| error.why),
    }
}
