//! Configurations by reference and hash. A cluster is assigned a hash, and keeps that version whatever later revisions contain.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::types::Repository;
use crate::unit::{Configuration, Unit};
use tidegate_api::ocm::config_reference::ConfigReference;

/// Configurations of this and earlier revisions, each with the hash of its `spec`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Archive(BTreeMap<(ConfigReference, String), Configuration>);

/// Above this number, configurations that the newest revision does not have are dropped. A configuration has a few kilobytes.
const MOST: usize = 2_000;

impl Archive {
    /// Adds the configurations of a revision.
    pub fn add(&mut self, repository: &Repository) {
        self.add_units(repository.addons.values());
    }

    /// Adds the configurations of units.
    pub(crate) fn add_units<'u>(&mut self, units: impl Iterator<Item = &'u Unit>) {
        let found = units.flat_map(|unit| &unit.configurations);
        let found: BTreeMap<_, _> =
            found.map(|(reference, config)| ((reference.clone(), config.spec_hash.clone()), config.clone())).collect();
        if self.0.len() + found.len() > MOST {
            self.0.clear();
        }
        self.0.extend(found);
    }

    /// Adds the configurations of another archive.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.iter().map(|(key, configuration)| (key.clone(), configuration.clone())));
    }

    /// Returns the configuration with this hash, if a known revision has it.
    pub fn get(&self, reference: &ConfigReference, hash: &str) -> Option<&Configuration> {
        self.0.get(&(reference.clone(), hash.to_owned()))
    }
}
