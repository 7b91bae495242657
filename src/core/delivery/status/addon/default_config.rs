//! Default configurations in the status of a ClusterManagementAddOn.
//!
//! # Source
//! OCM `pkg/addon/controllers/cmainstallprogression` (2026-08-11).

use crate::status::config::desired::Desired;
use crate::status::config::entry::{Entry as _, NoDesiredConfig};
use crate::status::config::layer::has_default;
use tidegate_api::ocm::cluster_management_addon::DefaultConfigReference;
use tidegate_api::ocm::config_reference::ConfigReference;

/// Returns the entries of the lowest layer, sorted by kind, with their hashes.
pub fn strict(defaults: &[Desired]) -> Vec<DefaultConfigReference> {
    defaults.iter().map(entry).collect()
}

/// Returns the entries for declared defaults in their order, as upstream writes them before filling in hashes. An
/// existing entry for the same object is kept with its hash.
///
/// # Errors
/// [`NoDesiredConfig`] if the search reaches an entry of the same kind that lacks `desiredConfig`.
pub fn compat(
    declared: &[ConfigReference],
    before: &[DefaultConfigReference],
) -> Result<Vec<DefaultConfigReference>, NoDesiredConfig> {
    let laid_out = |reference: &ConfigReference| {
        for old in before {
            if old.must_name(reference)? {
                return Ok(old.clone());
            }
        }
        Ok(entry(&Desired { reference: reference.clone(), spec_hash: String::new() }))
    };
    declared.iter().filter(|reference| has_default(reference)).map(laid_out).collect()
}

fn entry(desired: &Desired) -> DefaultConfigReference {
    DefaultConfigReference {
        group: desired.reference.group.clone(),
        resource: desired.reference.resource.clone(),
        desired_config: Some(desired.config()),
    }
}
