//! Problems with the cluster sets that Placements and bindings name.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::assemble::index::Index;
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use tidegate_api::key;
use tidegate_model::near::remedy;
use tidegate_model::object::ObjectKey;

/// Adds a complaint if the overlay renamed the cluster set of a binding.
pub(super) fn bound(notes: &mut Notes<'_>, index: &Index<'_>) {
    let object = notes.object;
    let Some(set) = object.value.pointer("/spec/clusterSet").and_then(Value::as_str) else { return };
    let declared = ObjectKey::new(key::CLUSTER_GROUP, "ManagedClusterSet", "", set);
    if index.by_key.contains_key(&declared) {
        return;
    }
    if let Some(hint) = index.renames.hint_of_set(set) {
        let origin = object.origin_of(&["spec", "clusterSet"]);
        notes.error(origin, format!("ManagedClusterSet {set} is not in the repository; {hint}"));
    }
}

/// Adds a complaint about each cluster set of a Placement that is not bound to its namespace, if the repository binds others to
/// it.
pub(super) fn chosen(notes: &mut Notes<'_>, index: &Index<'_>) {
    let object = notes.object;
    let namespace = &object.key.namespace;
    let is_bound = |key: &ObjectKey| {
        key.group == key::CLUSTER_GROUP && key.kind == "ManagedClusterSetBinding" && key.namespace == *namespace
    };
    let bindings = index.by_key.iter().filter(|(key, _)| is_bound(key));
    // A binding must have the name of its set; a different name has its own complaint.
    let set_of =
        |object: &&'_ Object| object.value.pointer("/spec/clusterSet").and_then(Value::as_str).map(str::to_owned);
    let bound: BTreeSet<String> =
        bindings.flat_map(|(key, object)| [Some(key.name.clone()), set_of(object)]).flatten().collect();
    let chosen = object.value.pointer("/spec/clusterSets").and_then(Value::as_array).into_iter().flatten();
    for (position, set) in chosen.enumerate().filter_map(|(position, set)| Some((position, set.as_str()?))) {
        if !bound.is_empty() && !bound.contains(set) && !notes.is_full() {
            let at = path(&["spec", "clusterSets"]).item(position);
            let renamed = index.renames.hint_of_set(set);
            let remedy = renamed.unwrap_or_else(|| remedy(set, bound.iter().map(String::as_str)));
            let message =
                format!("no ManagedClusterSetBinding binds cluster set {set:?} to namespace {namespace}; {remedy}");
            notes.error(object.value_origin(&at), message);
        }
    }
}
