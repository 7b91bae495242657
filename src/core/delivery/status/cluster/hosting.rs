//! Add-ons whose works are on another cluster, the hosting cluster. Compat only: template add-ons are never hosted.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonprogressing` (2026-08-11).

use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;

/// Returns `true` if upstream counts a work toward an add-on: it is in the namespace of the cluster, or in that of the
/// hosting cluster with a label that points back to the cluster.
pub fn is_counted(addon: &ManagedClusterAddOn, work: &ManifestWork) -> bool {
    let label = |name: &str| work.metadata.labels.as_ref().and_then(|labels| labels.get(name));
    if label(key::ADDON_NAME) != addon.metadata.name.as_ref() {
        return false;
    }
    let (home, place) = (&addon.metadata.namespace, &work.metadata.namespace);
    match label(key::ADDON_NAMESPACE) {
        None => place == home,
        namespace => namespace == home.as_ref() && hosting_cluster(addon).is_some_and(|c| place.as_deref() == Some(c)),
    }
}

/// Returns the cluster that hosts an add-on; an empty annotation is ignored.
pub(super) fn hosting_cluster(addon: &ManagedClusterAddOn) -> Option<&str> {
    let hosting = addon.metadata.annotations.as_ref()?.get(key::HOSTING_CLUSTER)?;
    (!hosting.is_empty()).then_some(hosting.as_str())
}
