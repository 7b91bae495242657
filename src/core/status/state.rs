//! How far one cluster is with what it should have, as the status of its ManagedClusterAddOn tells.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use super::desired::Desired;
use super::entry::{Entry as _, NoDesiredConfig};
use super::progress::reason;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_model::time::Timestamp;

/// How far a cluster is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Has something else, or nothing yet.
    ToApply,
    /// Has started and is not done, or was done and is no longer.
    Progressing {
        /// When it started; only strict knows.
        started: Option<Timestamp>,
        /// When its condition `Progressing` last changed, if that tells of being under way. In strict, only of a cluster that
        /// was done: it is under way since then, and not since its start.
        since: Option<Timestamp>,
    },
    /// Reports a failure.
    Failed {
        /// When its condition `Progressing` last changed.
        since: Timestamp,
    },
    /// Is done.
    Succeeded {
        /// Since when; only compat has it absent, while the cluster does not say that it is done.
        since: Option<Timestamp>,
    },
}

/// Returns how far a cluster is with the configurations that it should have, by Tidegate's rules.
///
/// A cluster's start is when `Configured` was last set for a new configuration, so that a deadline also runs for a cluster
/// that reports nothing. One that was done and is not well in its soak time is under way again, or failed.
pub fn strict(addon: &ManagedClusterAddOn, desired: &[Desired]) -> State {
    let Some(status) = addon.status.as_ref().filter(|_| is_told(addon, desired)) else { return State::ToApply };
    let progressing = condition::find(&status.conditions, key::PROGRESSING);
    let told = progressing.map(|c| (c.reason.as_str(), c.last_transition_time.0));
    let is_applied = status.config_references.iter().all(|r| r.last_applied_config == r.desired_config);
    let configured = condition::find(&status.conditions, key::CONFIGURED).filter(|c| c.status == "True");
    let started = configured.map(|c| c.last_transition_time.0);
    match told {
        Some((reason::FAILED, since)) => State::Failed { since },
        Some((reason::COMPLETED, since)) if is_applied => State::Succeeded { since: Some(since) },
        // It was done, and then was not well during its soak time.
        Some((reason::PROGRESSING, since)) if is_applied => State::Progressing { started, since: Some(since) },
        _ => State::Progressing { started, since: None },
    }
}

/// Returns `true` if a cluster has been told to take exactly these configurations. One that should have none has been told so
/// once `Configured` says it.
pub fn is_told(addon: &ManagedClusterAddOn, desired: &[Desired]) -> bool {
    let Some(status) = &addon.status else { return false };
    let is_told = !desired.is_empty() || condition::is_true(&status.conditions, key::CONFIGURED);
    let wants = |reference: &AddOnConfigReference| desired.iter().any(|d| is_told_of(reference, d));
    is_told && status.config_references.len() == desired.len() && status.config_references.iter().all(wants)
}

fn is_told_of(reference: &AddOnConfigReference, desired: &Desired) -> bool {
    reference.names(&desired.reference)
        && reference.desired_config.as_ref().is_some_and(|config| config.spec_hash == desired.spec_hash)
}

/// Returns how far a cluster is with the configurations that it should have, as upstream sees it.
///
/// The references are walked in their order, and the first one that is not done decides.
///
/// # Errors
/// [`NoDesiredConfig`] if the walk comes to such an entry.
pub fn compat(addon: &ManagedClusterAddOn, desired: &[Desired]) -> Result<State, NoDesiredConfig> {
    let empty = ManagedClusterAddOnStatus::default();
    let status = addon.status.as_ref().unwrap_or(&empty);
    if status.config_references.len() != desired.len() {
        return Ok(State::ToApply);
    }
    let progressing = condition::find(&status.conditions, key::PROGRESSING);
    let told = progressing.map(|c| (c.reason.as_str(), c.last_transition_time.0));
    for reference in &status.config_references {
        reference.required_config()?;
        if !desired.iter().any(|d| is_told_of(reference, d)) {
            return Ok(State::ToApply);
        }
        if reference.last_applied_config != reference.desired_config {
            return Ok(match told {
                Some((reason::FAILED, since)) => State::Failed { since },
                Some((reason::PROGRESSING, since)) => State::Progressing { started: None, since: Some(since) },
                _ => State::Progressing { started: None, since: None },
            });
        }
    }
    Ok(State::Succeeded { since: told.filter(|(reason, _)| *reason == reason::COMPLETED).map(|(_, since)| since) })
}
