//! The status of a ClusterManagementAddOn as far as its declaration alone decides: upstream's install progression controller.
//!
//! # Source
//! OCM `pkg/addon/controllers/cmainstallprogression`, addon-framework `pkg/utils` (2026-08-11).

use super::entry::NoDesiredConfig;
use super::layer::{Layers, hashed};
use super::{default_config, progression};
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::{
    ClusterManagementAddOn, ClusterManagementAddOnStatus, InstallProgression, PlacementStrategy,
};
use tidegate_model::name::NamespacedName;

/// Returns `true` if upstream's add-on manager drives an add-on: its annotation does not say anything else.
pub fn is_managed(addon: &ClusterManagementAddOn) -> bool {
    let lifecycle = addon.metadata.annotations.as_ref().and_then(|annotations| annotations.get(key::LIFECYCLE));
    lifecycle.is_none_or(|lifecycle| lifecycle == key::LIFECYCLE_ADDON_MANAGER)
}

/// Returns `true` if people, and not placements, choose the clusters of an add-on.
pub fn is_manual(addon: &ClusterManagementAddOn) -> bool {
    let strategy = addon.spec.install_strategy.as_ref();
    strategy.is_none_or(|strategy| matches!(strategy.type_.as_str(), "" | "Manual"))
}

/// Returns the status with an entry for each default configuration and each placement, as upstream lays it out before the
/// hashes are filled in.
///
/// Default configurations are told of every add-on. The entries of placements go when an add-on becomes manual, and stay as
/// they are when somebody else drives it.
///
/// # Errors
/// [`NoDesiredConfig`] where upstream crashes over an entry without.
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
    // No hash is known yet: the framework fills them in afterwards.
    let defaults = Layers::defaults(&addon.spec.default_configs, |_| String::new());
    let entry = |placement: &PlacementStrategy| {
        let layers = defaults.overlaid(hashed(&placement.configs, |_| String::new()));
        let name = NamespacedName::new(&placement.namespace, &placement.name);
        progression::compat(before, &name, &layers.to_vec())
    };
    addon.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements).map(entry).collect()
}
