//! The state of one cluster with the configurations it should have, read from the status of its ManagedClusterAddOn.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use super::progress::reason;
use crate::status::config::desired::Desired;
use crate::status::config::entry::{Entry as _, NoDesiredConfig};
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_model::time::Timestamp;

/// The state of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Has other configurations assigned, or none yet.
    ToApply,
    /// Has started and is not done, or is no longer done.
    Progressing {
        /// When it started; set only in strict.
        started: Option<Timestamp>,
        /// When its condition `Progressing` last changed, if its reason is `Progressing`. In strict, set only for a cluster
        /// that was done: it has been in progress since then, not since its start.
        since: Option<Timestamp>,
    },
    /// Reports a failure.
    Failed {
        /// When its condition `Progressing` last changed.
        since: Timestamp,
    },
    /// Is done.
    Succeeded {
        /// Since when; absent only in compat, while the cluster does not report that it is done.
        since: Option<Timestamp>,
    },
}

/// Returns the state of a cluster with the configurations it should have, by Tidegate's rules.
///
/// The start of a cluster is the last time `Configured` was set for a new configuration, so that the deadline also runs for a
/// cluster that reports nothing. A cluster that was done and becomes unhealthy during its soak time is in progress again, or
/// failed.
pub fn strict(addon: &ManagedClusterAddOn, desired: &[Desired]) -> State {
    let Some(status) = addon.status.as_ref().filter(|_| is_assigned(addon, desired)) else { return State::ToApply };
    let progressing = condition::find(&status.conditions, key::PROGRESSING);
    let reported = progressing.map(|c| (c.reason.as_str(), c.last_transition_time.0));
    let is_applied = status.config_references.iter().all(|r| r.last_applied_config == r.desired_config);
    let configured = condition::find(&status.conditions, key::CONFIGURED).filter(|c| c.status == "True");
    let started = configured.map(|c| c.last_transition_time.0);
    match reported {
        Some((reason::FAILED, since)) => State::Failed { since },
        Some((reason::COMPLETED, since)) if is_applied => State::Succeeded { since: Some(since) },
        // It was done, then became unhealthy during its soak time.
        Some((reason::PROGRESSING, since)) if is_applied => State::Progressing { started, since: Some(since) },
        _ => State::Progressing { started, since: None },
    }
}

/// Returns `true` if a cluster has been assigned exactly these configurations. If it should have none, `Configured` must be
/// `True`.
pub fn is_assigned(addon: &ManagedClusterAddOn, desired: &[Desired]) -> bool {
    let Some(status) = &addon.status else { return false };
    let is_assigned = !desired.is_empty() || condition::is_true(&status.conditions, key::CONFIGURED);
    let wants = |reference: &AddOnConfigReference| desired.iter().any(|d| is_assigned_config(reference, d));
    is_assigned && status.config_references.len() == desired.len() && status.config_references.iter().all(wants)
}

fn is_assigned_config(reference: &AddOnConfigReference, desired: &Desired) -> bool {
    reference.names(&desired.reference)
        && reference.desired_config.as_ref().is_some_and(|config| config.spec_hash == desired.spec_hash)
}

/// Returns the state of a cluster with the configurations it should have, by upstream's rules.
///
/// References are checked in order, and the first one that is not done decides.
///
/// # Errors
/// [`NoDesiredConfig`] if the check reaches an entry without `desiredConfig`.
pub fn compat(addon: &ManagedClusterAddOn, desired: &[Desired]) -> Result<State, NoDesiredConfig> {
    let empty = ManagedClusterAddOnStatus::default();
    let status = addon.status.as_ref().unwrap_or(&empty);
    if status.config_references.len() != desired.len() {
        return Ok(State::ToApply);
    }
    let progressing = condition::find(&status.conditions, key::PROGRESSING);
    let reported = progressing.map(|c| (c.reason.as_str(), c.last_transition_time.0));
    for reference in &status.config_references {
        reference.required_config()?;
        if !desired.iter().any(|d| is_assigned_config(reference, d)) {
            return Ok(State::ToApply);
        }
        if reference.last_applied_config != reference.desired_config {
            return Ok(match reported {
                Some((reason::FAILED, since)) => State::Failed { since },
                Some((reason::PROGRESSING, since)) => State::Progressing { started: None, since: Some(since) },
                _ => State::Progressing { started: None, since: None },
            });
        }
    }
    Ok(State::Succeeded { since: reported.filter(|(reason, _)| *reason == reason::COMPLETED).map(|(_, since)| since) })
}
