//! Configurations with their hashes: those assigned to a cluster, and those a work carries.

use std::collections::BTreeMap;
use std::fmt;

use tidegate_api::key;
use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn};
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::digest::short;

/// Configurations and the hash of each.
///
/// # Shape
/// Keys have the form used in works, `<resource>[.<group>]/<namespace>/<name>`; hashes are hexadecimal, empty if
/// unknown. Displays as a human-readable list with the first twelve digits of each hash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configs(pub BTreeMap<String, String>);

impl Configs {
    /// Returns the configurations assigned to a cluster.
    pub(super) fn assigned(addon: &ManagedClusterAddOn) -> Self {
        let assigned = addon.config_references().iter().filter_map(|r| Some((r, r.desired_config.as_ref()?)));
        Self(assigned.map(|(reference, config)| entry(reference, config)).collect())
    }

    /// Returns the configurations that a cluster is reported to have applied.
    pub(super) fn completed(addon: &ManagedClusterAddOn) -> Self {
        let completed = addon.config_references().iter().filter_map(|r| Some((r, r.last_applied_config.as_ref()?)));
        Self(completed.map(|(reference, config)| entry(reference, config)).collect())
    }

    /// Returns the configurations that a work was rendered from, read from its annotation; `None` if it cannot be read.
    pub(super) fn carried(work: &ManifestWork) -> Option<Self> {
        match work.metadata.annotations.as_ref().and_then(|a| a.get(key::CONFIG_SPEC_HASH)) {
            Some(text) => serde_json::from_str(text).ok().map(Self),
            None => Some(Self::default()),
        }
    }

    /// Returns the templates and AddOnDeploymentConfigs without a hash: they should be in the repository, but are not.
    pub(super) fn unknown(&self) -> Self {
        let kinds = [key::ADDON_TEMPLATES, key::ADDON_DEPLOYMENT_CONFIGS];
        let kinds = kinds.map(|resource| format!("{resource}.{}/", key::ADDON_GROUP));
        let is_needed = |name: &str| kinds.iter().any(|kind| name.starts_with(kind));
        let unknown = self.0.iter().filter(|(name, hash)| hash.is_empty() && is_needed(name));
        Self(unknown.map(|(name, hash)| (name.clone(), hash.clone())).collect())
    }

    /// Adds a configuration.
    pub(super) fn insert(&mut self, reference: &ConfigReference, hash: &str) {
        let ConfigReference { group, resource, namespace, name } = reference;
        self.0.insert(key_of(group, resource, namespace, name), hash.to_owned());
    }
}

fn entry(reference: &AddOnConfigReference, config: &ConfigSpecHash) -> (String, String) {
    let key = key_of(&reference.group, &reference.resource, &config.namespace, &config.name);
    (key, config.spec_hash.clone())
}

fn key_of(group: &str, resource: &str, namespace: &str, name: &str) -> String {
    let dot = if group.is_empty() { "" } else { "." };
    format!("{resource}{dot}{group}/{namespace}/{name}")
}

impl fmt::Display for Configs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (place, (name, hash)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let hash = if hash.is_empty() { "without hash" } else { short(hash) };
            write!(f, "{comma}{name} {hash}")?;
        }
        Ok(())
    }
}
