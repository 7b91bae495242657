//! Condition `Configured` of a ManagedClusterAddOn: whether its cluster has been assigned its configurations.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use tidegate_api::condition::Claim;
use tidegate_api::key;

/// Returns the condition of a cluster that has been assigned its configurations.
pub fn assigned() -> Claim {
    Claim::new(key::CONFIGURED, "True", "ConfigurationsConfigured", "Configurations configured")
}

/// Returns the condition of a cluster that waits for its turn. Until then, its works stay unchanged.
pub fn waiting() -> Claim {
    let message = "Configurations updated and not configured yet";
    Claim::new(key::CONFIGURED, "False", "ConfigurationsNotConfigured", message)
}
