//! A cluster and its add-on as observed: whether the cluster answers, what it was assigned, and what a write has to change.

use serde_json::{Map, Value, json};

use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;

/// Returns `true` if the hub reports that the cluster does not answer. A cluster without that condition counts as reachable.
pub(crate) fn is_unreachable(cluster: &ManagedCluster) -> bool {
    let conditions = cluster.status.as_ref().map_or(&[][..], |status| &status.conditions);
    condition::find(conditions, key::CLUSTER_AVAILABLE).is_some_and(|condition| condition.status != "True")
}

/// Returns the fields of a status that differ, or `None` if none do.
pub(crate) fn status_patch(observed: &ManagedClusterAddOnStatus, wanted: &ManagedClusterAddOnStatus) -> Option<Value> {
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
    (!changed.is_empty()).then(|| json!(changed))
}
