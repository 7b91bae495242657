//! A configuration that a cluster should have.

use serde::{Deserialize, Serialize};

use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};

/// A configuration that a cluster should have, with its hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Desired {
    /// The object.
    #[serde(flatten)]
    pub reference: ConfigReference,
    /// The hash of its spec; empty while unknown. No cluster completes with an empty hash.
    pub spec_hash: String,
}

impl Desired {
    /// Returns the configuration in the form used by status fields.
    pub fn config(&self) -> ConfigSpecHash {
        ConfigSpecHash {
            namespace: self.reference.namespace.clone(),
            name: self.reference.name.clone(),
            spec_hash: self.spec_hash.clone(),
        }
    }
}
