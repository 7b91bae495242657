//! A configuration as a cluster should have it.

use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};

/// A configuration with its hash, as a cluster should have it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Desired {
    /// The object.
    pub reference: ConfigReference,
    /// The hash of its spec; empty while it is not known, and no cluster completes with an empty one.
    pub spec_hash: String,
}

impl Desired {
    /// Returns the configuration in the form that status fields hold it.
    pub fn config(&self) -> ConfigSpecHash {
        ConfigSpecHash {
            namespace: self.reference.namespace.clone(),
            name: self.reference.name.clone(),
            spec_hash: self.spec_hash.clone(),
        }
    }
}
