//! Condition `Progressing` of a ManagedClusterAddOn, and what was last applied: whether a cluster is done.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonprogressing` (2026-08-11).

use super::supported::first_unsupported;
use super::works::{Delivered, hosting_cluster};
use crate::api::condition::{self, Claim};
use crate::api::key;
use crate::api::ocm::managed_cluster_addon::{ManagedClusterAddOn, ManagedClusterAddOnStatus};
use crate::model::time::Timestamp;

/// Reasons of the condition `Progressing`.
pub mod reason {
    /// Under way.
    pub const PROGRESSING: &str = "Progressing";
    /// Done.
    pub const COMPLETED: &str = "Completed";
    /// Something on the hub went wrong. Only ever written upstream, and hardly there.
    pub const FAILED: &str = "Failed";
}

/// Returns the condition by Tidegate's rules: an add-on whose works are ready but which is not available is not done.
///
/// The status is given apart from the add-on, since what is decided upon may not be written yet.
pub fn strict(addon: &ManagedClusterAddOn, status: &ManagedClusterAddOnStatus, delivered: Delivered) -> Claim {
    if let Some(obstacle) = unsupported(addon, status).or_else(|| unapplied(status)) {
        return obstacle;
    }
    let unhealthy = condition::find(&status.conditions, key::AVAILABLE).filter(|c| c.status == "False");
    match (delivered, unhealthy) {
        (Delivered::Ready, Some(unhealthy)) => under_way(&format!("add-on is not available: {}", unhealthy.message)),
        (delivered, _) => claim(delivered),
    }
}

/// Returns the condition as upstream does: a hosted add-on also waits for what lies in the namespace of its hosting cluster.
pub fn compat(addon: &ManagedClusterAddOn, status: &ManagedClusterAddOnStatus, delivered: Delivered) -> Claim {
    let obstacle = unsupported(addon, status).or_else(|| unapplied(status)).or_else(|| unhosted(addon, status));
    obstacle.unwrap_or_else(|| claim(delivered))
}

fn unsupported(addon: &ManagedClusterAddOn, status: &ManagedClusterAddOnStatus) -> Option<Claim> {
    let config = first_unsupported(&addon.spec.configs, &status.supported_configs)?;
    let message =
        format!("Configuration with gvr {}/{} is not supported for this addon", config.group, config.resource);
    Some(Claim::new(key::PROGRESSING, "False", "ConfigurationUnsupported", message))
}

fn unapplied(status: &ManagedClusterAddOnStatus) -> Option<Claim> {
    let message = "Waiting for ManagedClusterAddOn ManifestApplied condition";
    let is_there = condition::find(&status.conditions, key::MANIFEST_APPLIED).is_some();
    (!is_there).then(|| Claim::new(key::PROGRESSING, "False", "WaitingForManifestApplied", message))
}

fn unhosted(addon: &ManagedClusterAddOn, status: &ManagedClusterAddOnStatus) -> Option<Claim> {
    hosting_cluster(addon)?;
    let message = "Waiting for ManagedClusterAddOn HostingManifestApplied condition";
    let is_there = condition::find(&status.conditions, key::HOSTING_MANIFEST_APPLIED).is_some();
    (!is_there).then(|| Claim::new(key::PROGRESSING, "False", "WaitingForHostingManifestApplied", message))
}

fn claim(delivered: Delivered) -> Claim {
    match delivered {
        Delivered::NoWorks => under_way("no addon works"),
        Delivered::Mismatch => under_way("mca and work configs mismatch"),
        Delivered::NotReady => under_way("work is not ready"),
        Delivered::Ready => Claim::new(key::PROGRESSING, "False", reason::COMPLETED, "completed with no errors."),
    }
}

fn under_way(why: &str) -> Claim {
    Claim::new(key::PROGRESSING, "True", reason::PROGRESSING, format!("progressing... {why}"))
}

/// Writes the condition into a status. Once a cluster is done, what is desired is what was last applied; later trouble only
/// changes the condition. Returns whether the cluster is done.
pub fn settle(status: &mut ManagedClusterAddOnStatus, claim: Claim, now: Timestamp) -> bool {
    let is_done = claim.reason == reason::COMPLETED;
    condition::set(&mut status.conditions, claim, now);
    if is_done {
        for reference in &mut status.config_references {
            reference.last_applied_config.clone_from(&reference.desired_config);
        }
    }
    is_done
}
