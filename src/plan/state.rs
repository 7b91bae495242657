//! How far one cluster is with what it should have, as the status of its ManagedClusterAddOn tells.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11). Strict differs in the times: a deadline runs from the start of a
//! configuration, which is when `Configured` was last set for one, so that it also runs for a cluster that reports nothing; and a
//! cluster that was done and is not well in its soak time is under way again, or failed.

use std::collections::BTreeMap;

use super::layer::Desired;
use crate::api::condition;
use crate::api::key;
use crate::api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use crate::api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnStatus};
use crate::model::canonical::sha256_hex;
use crate::model::decision::Semantics;
use crate::model::time::Timestamp;

/// How far a cluster is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Has something else, or nothing yet.
    ToApply,
    /// Has started and is not done, or was done and is no longer.
    Progressing {
        /// When it started.
        started: Option<Timestamp>,
        /// Since when it is under way, where that is not since its start.
        since: Option<Timestamp>,
    },
    /// Reports a failure.
    Failed {
        /// Since when.
        since: Timestamp,
    },
    /// Is done.
    Succeeded {
        /// Since when; absent while it is done but not well.
        since: Option<Timestamp>,
    },
}

/// Returns how far a cluster is with the configurations that it should have.
pub fn of(addon: &ManagedClusterAddOn, desired: &[Desired], semantics: Semantics) -> State {
    let empty = ManagedClusterAddOnStatus::default();
    let status = addon.status.as_ref().unwrap_or(&empty);
    if !has_started(status, desired) {
        return State::ToApply;
    }
    let progressing = condition::find(&status.conditions, key::PROGRESSING);
    let since = |reason: &str| progressing.filter(|c| c.reason == reason).map(|c| c.last_transition_time.0);
    let is_applied = status.config_references.iter().all(|r| r.last_applied_config == r.desired_config);
    match semantics {
        Semantics::Strict => {
            let started = condition::find(&status.conditions, key::CONFIGURED)
                .filter(|c| c.status == "True")
                .map(|c| c.last_transition_time.0);
            if let Some(since) = since(reason::FAILED) {
                return State::Failed { since };
            }
            match since(reason::COMPLETED) {
                Some(done) if is_applied => State::Succeeded { since: Some(done) },
                // It was done, and then was not well during its soak time.
                _ if is_applied => State::Progressing { started, since: since(reason::PROGRESSING) },
                _ => State::Progressing { started, since: None },
            }
        }
        Semantics::Compat if is_applied => State::Succeeded { since: since(reason::COMPLETED) },
        Semantics::Compat => match since(reason::FAILED) {
            Some(since) => State::Failed { since },
            None => State::Progressing { started: None, since: since(reason::PROGRESSING) },
        },
    }
}

/// Says whether a cluster has been told to take exactly these configurations.
pub fn has_started(status: &ManagedClusterAddOnStatus, desired: &[Desired]) -> bool {
    let told = |reference: &AddOnConfigReference| {
        reference.desired_config.as_ref().is_some_and(|config| desired.iter().any(|d| is_same(reference, config, d)))
    };
    // An add-on without configurations has started as soon as it was told so.
    let is_told = !desired.is_empty() || condition::is_true(&status.conditions, key::CONFIGURED);
    is_told && status.config_references.len() == desired.len() && status.config_references.iter().all(told)
}

fn is_same(reference: &AddOnConfigReference, config: &ConfigSpecHash, desired: &Desired) -> bool {
    referent(reference, config) == desired.reference && config.spec_hash == desired.spec_hash
}

fn referent(reference: &AddOnConfigReference, config: &ConfigSpecHash) -> ConfigReference {
    ConfigReference {
        group: reference.group.clone(),
        resource: reference.resource.clone(),
        namespace: config.namespace.clone(),
        name: config.name.clone(),
    }
}

/// Returns the references of a cluster that starts: what it keeps stays with its history, what is new begins without.
///
/// # Shape
/// Sorted by kind; inside one kind, kept entries come first, in their order.
pub fn merged(observed: &[AddOnConfigReference], desired: &[Desired]) -> Vec<AddOnConfigReference> {
    let mut by_kind: BTreeMap<(String, String), Vec<AddOnConfigReference>> = BTreeMap::new();
    let wanted = |reference: &AddOnConfigReference| {
        let config = reference.desired_config.as_ref()?;
        desired.iter().find(|d| d.reference == referent(reference, config))
    };
    let mut kept = Vec::new();
    for reference in observed {
        if let Some(desired) = wanted(reference) {
            kept.push(&desired.reference);
            let desired_config = Some(config(desired));
            let entry = AddOnConfigReference { desired_config, ..reference.clone() };
            by_kind.entry((reference.group.clone(), reference.resource.clone())).or_default().push(entry);
        }
    }
    for new in desired.iter().filter(|d| !kept.contains(&&d.reference)) {
        let entry = AddOnConfigReference {
            group: new.reference.group.clone(),
            resource: new.reference.resource.clone(),
            desired_config: Some(config(new)),
            ..AddOnConfigReference::default()
        };
        by_kind.entry((entry.group.clone(), entry.resource.clone())).or_default().push(entry);
    }
    by_kind.into_values().flatten().collect()
}

/// Returns a configuration in the form that status fields hold it.
pub fn config(desired: &Desired) -> ConfigSpecHash {
    ConfigSpecHash {
        namespace: desired.reference.namespace.clone(),
        name: desired.reference.name.clone(),
        spec_hash: desired.spec_hash.clone(),
    }
}

/// Returns twelve digits that stand for all configurations of a cluster together; empty if it has none.
pub fn digest<'a>(configs: impl Iterator<Item = &'a ConfigSpecHash>) -> String {
    let mut hashes: Vec<&str> = configs.map(|c| c.spec_hash.as_str()).filter(|h| !h.is_empty()).collect();
    hashes.sort_unstable();
    if hashes.is_empty() { String::new() } else { sha256_hex(hashes.join("\n").as_bytes()).chars().take(12).collect() }
}

/// Reasons of the condition `Progressing`.
pub mod reason {
    /// Under way.
    pub const PROGRESSING: &str = "Progressing";
    /// Done.
    pub const COMPLETED: &str = "Completed";
    /// Failed.
    pub const FAILED: &str = "Failed";
}
