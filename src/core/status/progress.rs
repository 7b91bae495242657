//! How far a cluster is with what it was told to take, and what keeps it from being done.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonprogressing` (2026-08-11), but for the health of the add-on: upstream takes a cluster for
//! done as soon as its objects exist, strict asks whether they work.

use std::fmt;

use super::supported::first_unsupported;
use super::works::{Delivered, hosting_cluster};
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_model::time::Timestamp;

/// Reasons of the condition `Progressing`.
pub mod reason {
    /// Under way.
    pub const PROGRESSING: &str = "Progressing";
    /// Done.
    pub const COMPLETED: &str = "Completed";
    /// Failed: upstream says so of trouble on the hub, strict of a cluster that was not well during its soak time.
    pub const FAILED: &str = "Failed";
}

/// How far a cluster is. Displays as half a sentence for people, of which the cluster is the subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The add-on of the cluster names a configuration of a kind that is not supported.
    Unsupported {
        /// API group of the kind.
        group: String,
        /// Plural name of the kind.
        resource: String,
    },
    /// The cluster has not said whether it applied the works.
    Unanswered,
    /// The hosting cluster has not said whether it applied the works. Only compat has it.
    Unhosted,
    /// There are no works yet.
    NoWorks,
    /// A work carries other configurations.
    OtherConfigs,
    /// A work is being written, is not applied as it is written, or misses objects.
    NotReady,
    /// The works are applied, but the add-on is not known to be well. Only strict has it.
    Unwell {
        /// What is known of it.
        why: String,
    },
    /// The cluster has what it should have.
    Completed,
}

/// Tells how far a cluster is by Tidegate's rules. `doubt` says why the add-on is not known to be well; it is `None` for one
/// that is known to.
///
/// The status is given apart from the add-on, since what is decided upon may not be written yet.
pub fn strict(
    addon: &ManagedClusterAddOn,
    status: &ManagedClusterAddOnStatus,
    delivered: Delivered,
    doubt: Option<String>,
) -> Progress {
    let told = unsupported(addon, status).or_else(|| unanswered(status));
    match (told.unwrap_or(Progress::from(delivered)), doubt) {
        (Progress::Completed, Some(why)) => Progress::Unwell { why },
        (progress, _) => progress,
    }
}

/// Tells how far a cluster is as upstream does: a hosted add-on also waits for what lies in the namespace of its hosting
/// cluster, and nobody asks whether an add-on is well.
pub fn compat(addon: &ManagedClusterAddOn, status: &ManagedClusterAddOnStatus, delivered: Delivered) -> Progress {
    let told = unsupported(addon, status).or_else(|| unanswered(status)).or_else(|| unhosted(addon, status));
    told.unwrap_or(Progress::from(delivered))
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

impl From<Delivered> for Progress {
    fn from(delivered: Delivered) -> Self {
        match delivered {
            Delivered::NoWorks => Self::NoWorks,
            Delivered::Mismatch => Self::OtherConfigs,
            Delivered::NotReady => Self::NotReady,
            Delivered::Ready => Self::Completed,
        }
    }
}

impl Progress {
    /// Returns the condition `Progressing`, in upstream's words.
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
            Self::NotReady => under_way("work is not ready"),
            Self::Unwell { why } => under_way(&format!("add-on is not available: {why}")),
            Self::Completed => claim("False", reason::COMPLETED, "completed with no errors."),
        }
    }

    /// Returns the condition `Progressing` of a cluster that was done and is no longer, during its soak time, where that is a
    /// failure. It stays until the cluster gets another configuration.
    pub fn failure(&self) -> Claim {
        Claim::new(key::PROGRESSING, "False", reason::FAILED, format!("was not well during its soak time: {self}"))
    }

    /// Returns what would take the cluster further; empty if it is done.
    pub fn opens(&self) -> &'static str {
        match self {
            Self::Unsupported { .. } => "a commit removes that configuration from its ManagedClusterAddOn",
            Self::NoWorks | Self::OtherConfigs => "its works are written",
            Self::Unanswered | Self::NotReady => "the agent of the cluster applies the works",
            Self::Unhosted => "the agent of the hosting cluster applies the works",
            Self::Unwell { .. } => "the add-on becomes available on the cluster",
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
                    "its ManagedClusterAddOn names a configuration {resource}.{group}, which templates do not take"
                )
            }
            Self::Unanswered => f.write_str("its agent has not said whether it applied the works"),
            Self::Unhosted => f.write_str("the agent of its hosting cluster has not said whether it applied the works"),
            Self::NoWorks => f.write_str("has no works"),
            Self::OtherConfigs => f.write_str("its works carry other configurations"),
            Self::NotReady => f.write_str("its works are not applied as they are written"),
            Self::Unwell { why } => write!(f, "its add-on is not known to be well: {why}"),
            Self::Completed => f.write_str("reports success"),
        }
    }
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
