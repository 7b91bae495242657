//! The availability of clusters, as the hub's lease controller sets it.
//!
//! # Source
//! OCM `pkg/registration/hub/lease`, read 2026-08-11.

use serde_json::Value;

use tidegate_api::condition::{self, Claim, Condition};
use tidegate_api::key;
use tidegate_model::time::Timestamp;

/// The reason that the hub sets for a cluster whose lease is no longer updated.
const SILENT: &str = "ManagedClusterLeaseUpdateStopped";

/// Returns the status of a ManagedCluster with its updated availability; `None` if the status is already correct.
pub(crate) fn availability(cluster: &Value, is_reachable: bool, now: Timestamp) -> Option<Value> {
    let mut status = cluster.get("status").cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    let conditions = status.get("conditions").cloned().unwrap_or_default();
    let mut conditions: Vec<Condition> = serde_json::from_value(conditions).unwrap_or_default();
    let is_silent = condition::find(&conditions, key::CLUSTER_AVAILABLE).is_some_and(|found| found.reason == SILENT);
    let claim = match (is_reachable, is_silent) {
        (true, true) => {
            Claim::new(key::CLUSTER_AVAILABLE, "True", "ManagedClusterAvailable", "Managed cluster is available")
        }
        (false, false) => {
            let message = "Registration agent stopped updating its lease.";
            Claim::new(key::CLUSTER_AVAILABLE, "Unknown", SILENT, message)
        }
        _ => return None,
    };
    condition::set(&mut conditions, claim, now);
    status.as_object_mut()?.insert("conditions".to_owned(), serde_json::to_value(conditions).ok()?);
    Some(status)
}
