//! Entries of status lists, each of which describes one configuration.

use super::desired::Desired;
use tidegate_api::ocm::cluster_management_addon::{DefaultConfigReference, InstallConfigReference};
use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;

/// A status entry without `desiredConfig`. Upstream's controllers crash on such an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a status has an entry for {resource:?} of group {group:?} without desiredConfig: remove the entry")]
pub struct NoDesiredConfig {
    /// API group of the entry.
    pub group: String,
    /// Plural resource of the entry.
    pub resource: String,
}

/// An entry of a status list that describes one configuration.
pub trait Entry {
    /// Returns the group and the plural resource.
    fn kind(&self) -> (&str, &str);

    /// Returns the desired object with its hash; `None` if the entry was written without one.
    fn desired_config(&self) -> Option<&ConfigSpecHash>;

    /// Returns `true` if the entry has the same kind as a configuration.
    fn is_of_kind(&self, reference: &ConfigReference) -> bool {
        self.kind() == (&reference.group, &reference.resource)
    }

    /// Returns `true` if the entry desires this object, with any hash.
    fn names(&self, reference: &ConfigReference) -> bool {
        self.is_of_kind(reference) && self.desired_config().is_some_and(|config| is_referent(config, reference))
    }

    /// Returns the desired object with its kind and hash.
    fn desired(&self) -> Option<Desired> {
        let ((group, resource), config) = (self.kind(), self.desired_config()?);
        Some(Desired {
            reference: ConfigReference {
                group: group.to_owned(),
                resource: resource.to_owned(),
                namespace: config.namespace.clone(),
                name: config.name.clone(),
            },
            spec_hash: config.spec_hash.clone(),
        })
    }

    /// Returns the desired object, which upstream expects in every entry.
    ///
    /// # Errors
    /// [`NoDesiredConfig`] if the entry has none.
    fn required_config(&self) -> Result<&ConfigSpecHash, NoDesiredConfig> {
        let (group, resource) = self.kind();
        let missing = || NoDesiredConfig { group: group.to_owned(), resource: resource.to_owned() };
        self.desired_config().ok_or_else(missing)
    }

    /// Returns `true` if the entry desires this object, by upstream's check.
    ///
    /// # Errors
    /// [`NoDesiredConfig`] for an entry of the same kind that names no object.
    fn must_name(&self, reference: &ConfigReference) -> Result<bool, NoDesiredConfig> {
        Ok(self.is_of_kind(reference) && is_referent(self.required_config()?, reference))
    }
}

fn is_referent(config: &ConfigSpecHash, reference: &ConfigReference) -> bool {
    config.name == reference.name && config.namespace == reference.namespace
}

macro_rules! entry {
    ($($type:ty),*) => {$(
        impl Entry for $type {
            fn kind(&self) -> (&str, &str) {
                (&self.group, &self.resource)
            }

            fn desired_config(&self) -> Option<&ConfigSpecHash> {
                self.desired_config.as_ref()
            }
        }
    )*};
}

entry!(AddOnConfigReference, DefaultConfigReference, InstallConfigReference);

/// Returns the hash of an object from the last entry that names it; empty if no entry does.
pub(in crate::status) fn assigned_hash(entries: &[impl Entry], reference: &ConfigReference) -> String {
    let assigned = entries.iter().rev().find(|entry| entry.names(reference));
    assigned.and_then(Entry::desired_config).map(|config| config.spec_hash.clone()).unwrap_or_default()
}
