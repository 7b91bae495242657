//! Hashes and generations of configuration objects, filled into statuses.
//!
//! # Source
//! addon-framework `pkg/addonmanager/controllers/cmaconfig` and `addonconfig` (v1.3.0).

use serde_json::Value;

use super::entry::Entry;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOnStatus;
use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_go::canonical::spec_hash;

/// The result of looking up a configuration object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The add-on does not support its kind: nothing is filled in for it.
    Unsupported,
    /// The object does not exist.
    Missing,
    /// The object exists.
    Found(Found),
}

/// The facts about a configuration object that statuses record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// `metadata.generation`; 0 if the object has none.
    pub generation: i64,
    /// The hash of its spec.
    pub spec_hash: String,
}

impl Found {
    /// Reads an object.
    pub fn of(object: &Value) -> Self {
        let generation = object.pointer("/metadata/generation").and_then(Value::as_i64).unwrap_or_default();
        Self { generation, spec_hash: spec_hash(object) }
    }
}

/// Fills hashes into the status of a ClusterManagementAddOn. The hash of a missing object becomes empty.
pub fn fill_addon(status: &mut ClusterManagementAddOnStatus, look_up: impl Fn(&ConfigReference) -> Lookup) {
    let fill = |target: Option<ConfigReference>, config: &mut Option<ConfigSpecHash>| {
        let (Some(reference), Some(config)) = (target.filter(|reference| !reference.name.is_empty()), config) else {
            return;
        };
        match look_up(&reference) {
            Lookup::Unsupported => {}
            Lookup::Missing => config.spec_hash.clear(),
            Lookup::Found(found) => config.spec_hash = found.spec_hash,
        }
    };
    for entry in &mut status.default_config_references {
        fill(reference(entry), &mut entry.desired_config);
    }
    for entry in status.install_progressions.iter_mut().flat_map(|p| &mut p.config_references) {
        fill(reference(entry), &mut entry.desired_config);
    }
}

/// Fills generations into the status of a ManagedClusterAddOn, and the hashes of the cluster's `own` configurations; the
/// rollout sets all other hashes. Entries of missing objects are left unchanged.
pub fn fill_cluster_addon(
    status: &mut ManagedClusterAddOnStatus,
    own: &[ConfigReference],
    look_up: impl Fn(&ConfigReference) -> Lookup,
) {
    for entry in &mut status.config_references {
        let Some(reference) = reference(entry) else { continue };
        let Lookup::Found(found) = look_up(&reference) else { continue };
        entry.last_observed_generation = Some(found.generation);
        if let Some(config) = entry.desired_config.as_mut().filter(|_| own.contains(&reference)) {
            config.spec_hash = found.spec_hash;
        }
    }
}

fn reference(entry: &impl Entry) -> Option<ConfigReference> {
    entry.desired().map(|desired| desired.reference)
}
