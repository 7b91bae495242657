//! How far a cluster is with what it was told to take, and what keeps it from being done.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonprogressing` (2026-08-11), but for the health of the add-on: upstream takes a cluster for
//! done as soon as its objects exist, strict asks whether they work.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::state::reason;
use crate::api::condition::{self, Claim};
use crate::api::key;
use crate::api::ocm::managed_cluster_addon::{ManagedClusterAddOn, ManagedClusterAddOnStatus};
use crate::api::ocm::manifest_work::ManifestWork;
use crate::delivery;

/// How far a cluster is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The add-on of the cluster names a configuration of a kind that templates do not take.
    Unsupported {
        /// API group of the kind.
        group: String,
        /// Plural name of the kind.
        resource: String,
    },
    /// The cluster has not said whether it applied the works.
    Unanswered,
    /// There are no works yet.
    NoWorks,
    /// A work carries other configurations.
    OtherConfigs,
    /// A work is being written, is not applied as it is written, or misses objects.
    NotReady,
    /// The works are applied, but the add-on is not known to be well.
    Unwell {
        /// What is known of it.
        why: String,
    },
    /// The cluster has what it should have.
    Completed,
}

/// What the progress of a cluster is told from.
#[derive(Debug, Clone)]
pub struct Evidence<'a> {
    /// The add-on of the cluster, as observed.
    pub addon: &'a ManagedClusterAddOn,
    /// Its status as far as this tick has come.
    pub status: &'a ManagedClusterAddOnStatus,
    /// The works of the add-on on the cluster.
    pub works: &'a BTreeMap<String, Arc<ManifestWork>>,
    /// Whether works are being written in this tick: then what is observed of them is of before.
    pub writes_works: bool,
    /// Why the add-on is not known to be well; `None` if it is known to, or if nobody asks.
    pub doubt: Option<String>,
}

impl Progress {
    /// Tells how far a cluster is.
    pub fn of(evidence: Evidence<'_>) -> Self {
        let Evidence { addon, status, works, writes_works, doubt } = evidence;
        let is_supported = |group: &str, resource: &str| {
            status.supported_configs.iter().any(|s| s.group == group && s.resource == resource)
        };
        if let Some(config) = addon.spec.configs.iter().find(|c| !is_supported(&c.group, &c.resource)) {
            return Self::Unsupported { group: config.group.clone(), resource: config.resource.clone() };
        }
        if condition::find(&status.conditions, key::MANIFEST_APPLIED).is_none() {
            return Self::Unanswered;
        }
        if writes_works {
            return Self::NotReady;
        }
        if works.is_empty() {
            return Self::NoWorks;
        }
        if !works.values().all(|work| delivery::matches_configs(work, &status.config_references)) {
            return Self::OtherConfigs;
        }
        if !works.values().all(|work| delivery::is_ready(work)) {
            return Self::NotReady;
        }
        match doubt {
            None => Self::Completed,
            Some(why) => Self::Unwell { why },
        }
    }

    /// Returns the condition `Progressing`, in upstream's words.
    pub fn claim(&self) -> Claim {
        let claim = |status, reason: &str, message: &str| Claim::new(key::PROGRESSING, status, reason, message);
        let under_way = |message: &str| claim("True", reason::PROGRESSING, message);
        match self {
            Self::Unsupported { group, resource } => {
                let message = format!("Configuration with gvr {group}/{resource} is not supported for this addon");
                claim("False", "ConfigurationUnsupported", &message)
            }
            Self::Unanswered => {
                let message = "Waiting for ManagedClusterAddOn ManifestApplied condition";
                claim("False", "WaitingForManifestApplied", message)
            }
            Self::NoWorks => under_way("progressing... no addon works"),
            Self::OtherConfigs => under_way("progressing... mca and work configs mismatch"),
            Self::NotReady => under_way("progressing... work is not ready"),
            Self::Unwell { why } => under_way(&format!("progressing... add-on is not available: {why}")),
            Self::Completed => claim("False", reason::COMPLETED, "completed with no errors."),
        }
    }

    /// Returns what would take the cluster further; empty if it is done.
    pub fn opens(&self) -> String {
        match self {
            Self::Unsupported { .. } => "a commit removes that configuration from its ManagedClusterAddOn".to_owned(),
            Self::NoWorks | Self::OtherConfigs => "its works are written".to_owned(),
            Self::Unanswered | Self::NotReady => "the agent of the cluster applies the works".to_owned(),
            Self::Unwell { .. } => "the add-on becomes available on the cluster".to_owned(),
            Self::Completed => String::new(),
        }
    }

    /// Returns the condition `Progressing` of a cluster that was done and is no longer, during its soak time, where that is a
    /// failure. It stays until the cluster gets another configuration.
    pub fn failure(&self) -> Claim {
        Claim::new(key::PROGRESSING, "False", reason::FAILED, format!("was not well during its soak time: {self}"))
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
            Self::NoWorks => f.write_str("has no works"),
            Self::OtherConfigs => f.write_str("its works carry other configurations"),
            Self::NotReady => f.write_str("its works are not applied as they are written"),
            Self::Unwell { why } => write!(f, "its add-on is not known to be well: {why}"),
            Self::Completed => f.write_str("reports success"),
        }
    }
}
