//! Condition `Configured` of a ManagedClusterAddOn: whether its cluster has been told to take what it should have.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use tidegate_api::condition::Claim;
use tidegate_api::key;

/// Returns the condition of a cluster that has been told.
pub fn told() -> Claim {
    Claim::new(key::CONFIGURED, "True", "ConfigurationsConfigured", "Configurations configured")
}

/// Returns the condition of a cluster that waits for its turn. Its works are left alone meanwhile.
pub fn waiting() -> Claim {
    let message = "Configurations updated and not configured yet";
    Claim::new(key::CONFIGURED, "False", "ConfigurationsNotConfigured", message)
}
