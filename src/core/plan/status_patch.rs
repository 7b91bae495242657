//! What a write has to change of the status of an add-on on a cluster.

use serde_json::{Map, Value};

use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_model::json_text::JsonText;

/// Returns the fields of a status that differ, or `None` if none do.
pub(crate) fn status_patch(
    observed: &ManagedClusterAddOnStatus,
    wanted: &ManagedClusterAddOnStatus,
) -> Option<JsonText> {
    if observed == wanted {
        return None;
    }
    let members = |status: &ManagedClusterAddOnStatus| match serde_json::to_value(status) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    };
    let (observed, wanted) = (members(observed), members(wanted));
    let emptied = observed.keys().filter(|name| !wanted.contains_key(*name)).map(|name| (name.clone(), Value::Null));
    let mut changed: Map<String, Value> = emptied.collect();
    changed.extend(wanted.into_iter().filter(|(name, value)| observed.get(name) != Some(value)));
    (!changed.is_empty()).then(|| Value::Object(changed).into())
}
