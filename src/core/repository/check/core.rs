//! Checks of objects of Kubernetes' own kinds: whether the kind exists, and whether name and namespace are valid for it.
//!
//! # Source
//! Kubernetes "Object Names and IDs", and the validation of each kind's name in kube-apiserver.

use crate::read::builtin::{Names, builtin, group_of, is_group, kinds};
use crate::read::notes::Notes;
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
    let origin = notes.object.origin_of(&["kind"]);
    match unknown_kind(&key.group, &key.kind, "the hub has") {
        Some(UnknownKind { message, is_near: true }) => notes.error(origin, message),
        Some(UnknownKind { message, is_near: false }) => notes.warning(origin, message),
        None => {}
    }
}

/// A kind that is not in its group.
pub(super) struct UnknownKind {
    /// The problem and its remedy.
    pub(super) message: String,
    /// Whether it resembles a kind of the group.
    pub(super) is_near: bool,
}

/// Returns the problem of a kind that one of Kubernetes' own groups does not have. `unless` names the API servers that may have it.
pub(super) fn unknown_kind(group: &str, kind: &str, unless: &str) -> Option<UnknownKind> {
    if !is_group(group) || builtin(group, kind).is_some() {
        return None;
    }
    let place = if group.is_empty() { "the core group (v1)" } else { group };
    let near = nearest(kind, kinds(group));
    let remedy = match (near, group_of(kind)) {
        (Some(near), _) => format!("did you mean {near:?}?"),
        (None, Some("")) => "it is in v1, so correct the apiVersion".to_owned(),
        (None, Some(right)) => format!("it is in {right}, so correct the apiVersion"),
        (None, None) => format!("correct it, unless {unless} such a kind"),
    };
    Some(UnknownKind { message: format!("kind {kind:?} is not known in {place}; {remedy}"), is_near: near.is_some() })
}

/// Returns the reason why an API server would refuse a name.
fn refused(names: Names, name: &str) -> Option<&'static str> {
    match names {
        Names::Path => None,
        Names::Label if name.len() > 63 || name.contains('.') => Some("at most 63 characters and no '.'"),
        Names::Label | Names::Subdomain => name.parse::<ClusterName>().err().map(|error| error.why),
    }
}
