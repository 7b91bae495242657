//! The kinds of OCM that configure add-ons and select their clusters.

use crate::key::{ADDON_GROUP, CLUSTER_GROUP};
use tidegate_model::object::ObjectKey;

/// Returns `true` if an object is of a kind that configures add-ons or selects their clusters. People write the whole `spec` of such an
/// object, and the fleet contains every object of these kinds as JSON.
pub fn is_declaration(key: &ObjectKey) -> bool {
    match key.group.as_str() {
        ADDON_GROUP => {
            matches!(key.kind.as_str(), "ClusterManagementAddOn" | "AddOnTemplate" | "AddOnDeploymentConfig")
        }
        CLUSTER_GROUP => matches!(key.kind.as_str(), "Placement" | "ManagedClusterSet" | "ManagedClusterSetBinding"),
        _ => false,
    }
}
