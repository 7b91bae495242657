//! The progress of a cluster with its assigned configurations, and what keeps it from being done.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonprogressing` (2026-08-11), except for the health of the add-on: upstream treats a cluster
//! as done as soon as its objects exist; strict also requires that they work.

use std::fmt;

use super::hosting::hosting_cluster;
use super::supported::first_unsupported;
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_model::time::Timestamp;

/// Reasons of the condition `Progressing`.
pub mod reason {
    /// In progress.
    pub const PROGRESSING: &str = "Progressing";
    /// Done.
    pub const COMPLETED: &str = "Completed";
    /// Failed. Upstream sets it for problems on the hub. Strict sets it for a cluster that was unhealthy during its soak time, and where a Job of
    /// an application has failed.
    pub const FAILED: &str = "Failed";
}

/// The progress of a cluster. Displays as a clause about the cluster, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The add-on of the cluster names a configuration of a kind that is not supported.
    Unsupported {
        /// API group of the kind.
        group: String,
        /// Plural name of the kind.
        resource: String,
    },
    /// The cluster has not reported whether it applied the works.
    Unanswered,
    /// The hosting cluster has not reported whether it applied the works. Compat only.
    Unhosted,
    /// No works exist yet.
    NoWorks,
    /// A work carries other configurations.
    OtherConfigs,
    /// OCM's add-on manager delivers the add-on, and does not report its configurations yet.
    Unacknowledged,
    /// A work is being written, is not applied at its current generation, or its objects are missing.
    NotReady,
    /// The works are applied, but the add-on is not known to be healthy. Strict only.
    Unwell {
        /// What is known about its health.
        why: String,
    },
    /// The works are applied, and the add-on was healthy when its agent last reported, which may have been before that. Strict only.
    Unproven {
        /// When its report counts.
        until: Timestamp,
    },
    /// The works are applied, and components are not delivered yet, since one that comes before them is not known to be healthy. Strict only.
    Held {
        /// Which components wait for which one.
        what: String,
        /// What is known about the health of that one.
        why: String,
    },
    /// The works are applied, and everything that was delivered is healthy, so that the next components can be delivered. Strict only.
    Next {
        /// The next components.
        what: String,
    },
    /// The works are applied, and something in them has failed and is never retried. Strict only.
    Broken {
        /// What has failed.
        why: String,
    },
    /// The cluster has all its configurations.
    Completed,
}

/// Returns the progress of a cluster by Tidegate's rules. `delivered` is its progress according to its works. `doubt` states why
/// the add-on is not known to be healthy; `None` means that it is healthy.
///
/// The status is passed separately, since it may not have been written to the add-on yet.
pub fn strict(
    addon: &ManagedClusterAddOn,
    status: &ManagedClusterAddOnStatus,
    delivered: Progress,
    doubt: Option<String>,
) -> Progress {
    let reported = unsupported(addon, status).or_else(|| unanswered(status));
    match (reported.unwrap_or(delivered), doubt) {
        (Progress::Completed, Some(why)) => Progress::Unwell { why },
        (progress, _) => progress,
    }
}

/// Returns the progress of a cluster by upstream's rules: a hosted add-on also waits for its hosting cluster, and the health
/// of the add-on is ignored.
pub fn compat(addon: &ManagedClusterAddOn, status: &ManagedClusterAddOnStatus, delivered: Progress) -> Progress {
    let reported = unsupported(addon, status).or_else(|| unanswered(status)).or_else(|| unhosted(addon, status));
    reported.unwrap_or(delivered)
}

fn unsupported(addon: &ManagedClusterAddOn, status: &ManagedClusterAddOnStatus) -> Option<Progress> {
    let config = first_unsupported(&addon.spec.configs, &status.supported_configs)?;
    Some(Progress::Unsupported { group: config.group.clone(), resource: config.resource.clone() })
}

fn unanswered(status: &ManagedClusterAddOnStatus) -> Option<Progress> {
    condition::find(&status.conditions, key::MANIFEST_APPLIED).is_none().then_some(Progress::Unanswered)
}

fn unhosted(addon: &ManagedClusterAddOn, status: &ManagedClusterAddOnStatus) -> Option<Progress> {
    hosting_cluster(addon)?;
    condition::find(&status.conditions, key::HOSTING_MANIFEST_APPLIED).is_none().then_some(Progress::Unhosted)
}

impl Progress {
    /// Returns the condition `Progressing`, with upstream's wording.
    pub fn claim(&self) -> Claim {
        let claim = |status, reason: &str, message: &str| Claim::new(key::PROGRESSING, status, reason, message);
        let under_way = |why: &str| claim("True", reason::PROGRESSING, &format!("progressing... {why}"));
        let waiting = |type_: &str| {
            let message = format!("Waiting for ManagedClusterAddOn {type_} condition");
            claim("False", &format!("WaitingFor{type_}"), &message)
        };
        match self {
            Self::Unsupported { group, resource } => {
                let message = format!("Configuration with gvr {group}/{resource} is not supported for this addon");
                claim("False", "ConfigurationUnsupported", &message)
            }
            Self::Unanswered => waiting(key::MANIFEST_APPLIED),
            Self::Unhosted => waiting(key::HOSTING_MANIFEST_APPLIED),
            Self::NoWorks => under_way("no addon works"),
            Self::OtherConfigs => under_way("mca and work configs mismatch"),
            Self::Unacknowledged => under_way("configurations not acknowledged by the addon manager"),
            Self::NotReady => under_way("work is not ready"),
            Self::Unwell { why } => under_way(&format!("add-on is not available: {why}")),
            Self::Held { what, why } => under_way(&format!("{what}: {why}")),
            Self::Next { what } => under_way(&format!("{what} can be delivered")),
            Self::Unproven { .. } => under_way("the health was not reported since the works were applied"),
            Self::Broken { why } => claim("False", reason::FAILED, why),
            Self::Completed => claim("False", reason::COMPLETED, "completed with no errors."),
        }
    }

    /// Returns the condition `Progressing` of a cluster that was done but became unhealthy during its soak time, where that
    /// counts as a failure. It stays until the cluster gets another configuration.
    pub fn failure(&self) -> Claim {
        Claim::new(key::PROGRESSING, "False", reason::FAILED, format!("was not healthy during its soak time: {self}"))
    }

    /// Returns the event that would let the cluster make progress; empty if it is done.
    pub fn opens(&self) -> &'static str {
        match self {
            Self::Unsupported { .. } => "a commit removes that configuration from its ManagedClusterAddOn",
            Self::NoWorks | Self::OtherConfigs => "its ManifestWorks are written",
            Self::Unacknowledged => "OCM's add-on manager reports its configurations in its ManagedClusterAddOn",
            Self::Unanswered | Self::NotReady => "the agent of the cluster applies the ManifestWorks",
            Self::Unhosted => "the agent of the hosting cluster applies the ManifestWorks",
            Self::Unwell { .. } => "the add-on becomes available on the cluster",
            Self::Held { .. } => "the component becomes healthy on the cluster",
            Self::Next { .. } => "the next ManifestWorks are written",
            Self::Unproven { .. } => "the agent of the cluster reports the health of the applied objects",
            Self::Broken { .. } => "a commit changes what has failed",
            Self::Completed => "",
        }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported { group, resource } => {
                write!(
                    f,
                    "its ManagedClusterAddOn names a configuration {resource}.{group}, which templates do not support"
                )
            }
            Self::Unanswered => f.write_str("its agent has not reported whether it applied the ManifestWorks"),
            Self::Unhosted => {
                f.write_str("the agent of its hosting cluster has not reported whether it applied the ManifestWorks")
            }
            Self::NoWorks => f.write_str("has no ManifestWorks"),
            Self::OtherConfigs => f.write_str("its ManifestWorks carry other configurations"),
            Self::Unacknowledged => f.write_str("OCM's add-on manager has not acknowledged its configurations"),
            Self::NotReady => f.write_str("its ManifestWorks are not fully applied"),
            Self::Unwell { why } => write!(f, "its add-on is not known to be healthy: {why}"),
            Self::Held { what, why } => write!(f, "{what}: {why}"),
            Self::Next { what } => write!(f, "what comes before {what} is healthy"),
            Self::Unproven { until } => {
                write!(
                    f,
                    "its agent may not have reported since it applied the ManifestWorks; its health counts from {until}"
                )
            }
            Self::Broken { why } => f.write_str(why),
            Self::Completed => f.write_str("reports success"),
        }
    }
}

/// Writes the condition into a status, and returns `true` if the cluster is done. When it is done, the desired configurations
/// become the last applied ones; later problems only change the condition.
pub fn update(status: &mut ManagedClusterAddOnStatus, claim: Claim, now: Timestamp) -> bool {
    let is_done = claim.reason == reason::COMPLETED;
    condition::set(&mut status.conditions, claim, now);
    if is_done {
        for reference in &mut status.config_references {
            reference.last_applied_config.clone_from(&reference.desired_config);
        }
    }
    is_done
}
