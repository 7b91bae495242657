//! The table of the lists of configurations, each written once.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;

use crate::snapshot::record::{Configuration, NEVER_APPLIED};
use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;
use tidegate_go::canonical::sha256_hex;

/// Number of digits of a key.
const DIGITS: usize = 8;

/// The lists by their keys. A key is a digest of its list, so it stays the same when other lists come and go.
#[derive(Default)]
pub(super) struct Table {
    lists: BTreeMap<String, Vec<Configuration>>,
    keys: HashMap<Vec<Configuration>, String>,
}

impl Table {
    /// Returns the key of a list; empty for an empty list.
    pub(super) fn key(&mut self, list: Vec<Configuration>) -> String {
        if list.is_empty() {
            return String::new();
        }
        if let Some(key) = self.keys.get(&list) {
            return key.clone();
        }
        let digest = sha256_hex(json!(list).to_string().as_bytes());
        let free = |key: &&str| !self.lists.contains_key(*key);
        let short = digest.get(..DIGITS).unwrap_or(&digest);
        // Two lists whose digests start alike are hardly ever met.
        let key = Some(short).filter(free).unwrap_or(&digest).to_owned();
        self.lists.insert(key.clone(), list.clone());
        self.keys.insert(list, key.clone());
        key
    }

    /// Returns the table.
    pub(super) fn lists(self) -> BTreeMap<String, Vec<Configuration>> {
        self.lists
    }
}

/// Returns the configurations that a cluster was assigned, and the key of those that it completed last, in the form of
/// [`Installed::applied`](crate::snapshot::Installed::applied).
pub(super) fn keys(table: &mut Table, references: &[AddOnConfigReference]) -> (String, String) {
    let assigned = table.key(references.iter().map(|r| row(r, r.desired_config.as_ref())).collect());
    let is_same = |r: &AddOnConfigReference| r.desired_config == r.last_applied_config;
    let applied = if references.iter().all(is_same) {
        String::new()
    } else if references.iter().all(|r| r.last_applied_config.is_none()) {
        NEVER_APPLIED.to_owned()
    } else {
        table.key(references.iter().map(|r| row(r, r.last_applied_config.as_ref())).collect())
    };
    (assigned, applied)
}

fn row(reference: &AddOnConfigReference, config: Option<&ConfigSpecHash>) -> Configuration {
    let ConfigSpecHash { namespace, name, spec_hash } = config.cloned().unwrap_or_default();
    let resource = Configuration::resource_of(&reference.group, &reference.resource);
    Configuration { resource, namespace, name, hash: spec_hash }
}

/// Returns configurations without their hashes, as a ManagedClusterAddOn names them.
pub(super) fn named(configs: &[ConfigReference]) -> Vec<Configuration> {
    let row = |config: &ConfigReference| Configuration {
        resource: Configuration::resource_of(&config.group, &config.resource),
        namespace: config.namespace.clone(),
        name: config.name.clone(),
        hash: String::new(),
    };
    configs.iter().map(row).collect()
}
