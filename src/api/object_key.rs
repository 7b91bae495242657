//! The identities of OCM's objects.

use tidegate_model::object::ObjectKey;

use crate::key::{ADDON_GROUP, CLUSTER_GROUP, WORK_GROUP};

/// Returns the identity of the ManagedClusterAddOn of an add-on on a cluster.
pub fn cluster_addon(cluster: &str, addon: &str) -> ObjectKey {
    ObjectKey::new(ADDON_GROUP, "ManagedClusterAddOn", cluster, addon)
}

/// Returns the identity of the ClusterManagementAddOn of an add-on.
pub fn addon(name: &str) -> ObjectKey {
    ObjectKey::new(ADDON_GROUP, "ClusterManagementAddOn", "", name)
}

/// Returns the identity of a Placement.
pub fn placement(namespace: &str, name: &str) -> ObjectKey {
    ObjectKey::new(CLUSTER_GROUP, "Placement", namespace, name)
}

/// Returns the identity of a ManagedCluster.
pub fn cluster(name: &str) -> ObjectKey {
    ObjectKey::new(CLUSTER_GROUP, "ManagedCluster", "", name)
}

/// Returns the identity of a ManifestWork in the namespace of a cluster.
pub fn work(cluster: &str, name: &str) -> ObjectKey {
    ObjectKey::new(WORK_GROUP, "ManifestWork", cluster, name)
}
