//! The part of a ClusterManagementAddOn's status that depends only on its declaration: upstream's install progression
//! controller.
//!
//! # Source
//! OCM `pkg/addon/controllers/cmainstallprogression`, addon-framework `pkg/utils` (2026-08-11).

use super::{default_config, progression};
use crate::status::config::entry::NoDesiredConfig;
use crate::status::config::layer::{Layers, hashed};
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::{
    self, ClusterManagementAddOn, ClusterManagementAddOnStatus, InstallProgression, PlacementStrategy,
};
use tidegate_model::name::NamespacedName;

/// Returns `true` if upstream's addon-manager drives an add-on, which is the default if no annotation is set.
pub fn is_managed(addon: &ClusterManagementAddOn) -> bool {
    let lifecycle = addon.metadata.annotations.as_ref().and_then(|annotations| annotations.get(key::LIFECYCLE));
    lifecycle.is_none_or(|lifecycle| lifecycle == key::LIFECYCLE_ADDON_MANAGER)
}

/// Returns `true` if the clusters of an add-on are chosen by hand and not by placements.
pub fn is_manual(addon: &ClusterManagementAddOn) -> bool {
    cluster_management_addon::is_manual(addon.spec.install_strategy.as_ref())
}

/// Returns the status with an entry for each default configuration and each placement, as upstream writes it before filling
/// in hashes.
///
/// Every add-on lists its default configurations. The entries of placements are removed when an add-on becomes manual, and
/// stay unchanged while another controller drives it.
///
/// # Errors
/// [`NoDesiredConfig`] where upstream crashes on an entry without `desiredConfig`.
pub fn compat(addon: &ClusterManagementAddOn) -> Result<ClusterManagementAddOnStatus, NoDesiredConfig> {
    let empty = ClusterManagementAddOnStatus::default();
    let before = addon.status.as_ref().unwrap_or(&empty);
    let default_config_references =
        default_config::compat(&addon.spec.default_configs, &before.default_config_references)?;
    let install_progressions = match (is_manual(addon), is_managed(addon)) {
        (true, _) => Vec::new(),
        (false, false) => before.install_progressions.clone(),
        (false, true) => progressions(addon, &before.install_progressions)?,
    };
    Ok(ClusterManagementAddOnStatus { default_config_references, install_progressions })
}

fn progressions(
    addon: &ClusterManagementAddOn,
    before: &[InstallProgression],
) -> Result<Vec<InstallProgression>, NoDesiredConfig> {
    // Hashes are not known yet: the framework fills them in later.
    let defaults = Layers::defaults(&addon.spec.default_configs, |_| String::new());
    let entry = |placement: &PlacementStrategy| {
        let layers = defaults.overlaid(hashed(&placement.configs, |_| String::new()));
        let name = NamespacedName::new(&placement.namespace, &placement.name);
        progression::compat(before, &name, &layers.to_vec())
    };
    addon.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements).map(entry).collect()
}
