//! What all clusters of an add-on amount to: the status of its ClusterManagementAddOn.
//!
//! # Source
//! OCM `pkg/addon/controllers/cmainstallprogression` and `addonconfiguration` (2026-08-11). Where the name of a configuration
//! changes, its last applied and last known good survive here, so that a status says what an upgrade comes from.

use serde_json::{Map, Value, json};

use super::layer::Desired;
use super::state;
use crate::api::condition::{self, Claim};
use crate::api::key;
use crate::api::ocm::cluster_management_addon::{
    ClusterManagementAddOn, ClusterManagementAddOnStatus, DefaultConfigReference, InstallConfigReference,
    InstallProgression,
};
use crate::api::ocm::config_reference::ConfigSpecHash;
use crate::model::action::{Lane, Precondition, Stage, Write};
use crate::model::name::NamespacedName;
use crate::model::object::ObjectKey;
use crate::model::time::Timestamp;

/// The numbers of one placement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Clusters that the placement selects.
    pub selected: usize,
    /// Those that no later placement takes over.
    pub configured: usize,
    /// Those under way.
    pub progressing: usize,
    /// Those that are done.
    pub done: usize,
    /// Those that failed.
    pub failed: usize,
    /// Those that took too long.
    pub timed_out: usize,
}

impl Tally {
    /// Says whether every cluster is done.
    pub fn is_complete(&self) -> bool {
        self.done == self.configured && self.configured > 0
    }

    /// Returns the condition `Progressing`, in upstream's words.
    pub fn claim(&self) -> Claim {
        let Self { selected, configured, progressing, done, failed, timed_out } = self;
        if self.is_complete() {
            let message = format!(
                "selected clusters {selected}. configured addons {done}/{configured} completed with no errors, {failed} failed {timed_out} timeout."
            );
            return Claim::new(key::PROGRESSING, "False", state::reason::COMPLETED, message);
        }
        let under_way = progressing + done;
        let message = format!(
            "selected clusters {selected}. configured addons {under_way}/{configured} progressing..., {failed} failed {timed_out} timeout."
        );
        Claim::new(key::PROGRESSING, "True", state::reason::PROGRESSING, message)
    }
}

/// How far one placement has come.
#[derive(Debug)]
pub struct Concluded {
    /// The placement.
    pub placement: NamespacedName,
    /// What its clusters should have.
    pub desired: Vec<Desired>,
    /// Its numbers; `None` while the choice of clusters cannot be relied upon.
    pub tally: Option<Tally>,
}

/// Returns the status that a ClusterManagementAddOn should have.
pub fn status(
    observed: &ClusterManagementAddOn,
    defaults: &[Desired],
    placements: &[Concluded],
    now: Timestamp,
) -> ClusterManagementAddOnStatus {
    let default_config_references = defaults
        .iter()
        .map(|d| DefaultConfigReference {
            group: d.reference.group.clone(),
            resource: d.reference.resource.clone(),
            desired_config: Some(state::config(d)),
        })
        .collect();
    let before = observed.status.as_ref().map(|s| s.install_progressions.as_slice()).unwrap_or_default();
    let install_progressions = placements.iter().map(|placement| progression(before, placement, now)).collect();
    ClusterManagementAddOnStatus { default_config_references, install_progressions }
}

fn progression(before: &[InstallProgression], concluded: &Concluded, now: Timestamp) -> InstallProgression {
    let Concluded { placement, desired, tally } = concluded;
    let old = before.iter().find(|p| p.namespace == placement.namespace && p.name == placement.name);
    let is_complete = tally.as_ref().is_some_and(Tally::is_complete);
    let reference = |d: &Desired| {
        let kept = old.and_then(|old| best_match(&old.config_references, d));
        let completed = is_complete.then(|| state::config(d));
        InstallConfigReference {
            group: d.reference.group.clone(),
            resource: d.reference.resource.clone(),
            desired_config: Some(state::config(d)),
            last_applied_config: completed.clone().or_else(|| kept.and_then(|k| k.last_applied_config.clone())),
            last_known_good_config: completed.or_else(|| kept.and_then(|k| k.last_known_good_config.clone())),
        }
    };
    let mut conditions = old.map(|old| old.conditions.clone()).unwrap_or_default();
    if let Some(tally) = tally {
        condition::set(&mut conditions, tally.claim(), now);
    }
    InstallProgression {
        namespace: placement.namespace.clone(),
        name: placement.name.clone(),
        config_references: desired.iter().map(reference).collect(),
        conditions,
    }
}

/// The entry of the same object, or else of the same kind: an upgrade by name replaces the object.
fn best_match<'a>(references: &'a [InstallConfigReference], desired: &Desired) -> Option<&'a InstallConfigReference> {
    let is_kind =
        |r: &&InstallConfigReference| r.group == desired.reference.group && r.resource == desired.reference.resource;
    let is_object = |config: &ConfigSpecHash| {
        config.name == desired.reference.name && config.namespace == desired.reference.namespace
    };
    let mut same_kind = references.iter().filter(is_kind);
    let exact = same_kind.clone().find(|r| r.desired_config.as_ref().is_some_and(is_object));
    exact.or_else(|| same_kind.next())
}

/// Returns the write that brings the status to the hub, or `None` if it is there.
pub fn write(observed: &ClusterManagementAddOn, status: &ClusterManagementAddOnStatus) -> Option<Lane> {
    if observed.status.as_ref().unwrap_or(&ClusterManagementAddOnStatus::default()) == status {
        return None;
    }
    let Ok(Value::Object(mut members)) = serde_json::to_value(status) else { return None };
    // A merge patch says by null that a list has become empty.
    for name in ["defaultConfigReferences", "installProgressions"] {
        members.entry(name).or_insert(Value::Null);
    }
    let key = ObjectKey::new(key::ADDON_GROUP, "ClusterManagementAddOn", "", observed.metadata.name.as_deref()?);
    let uid = observed.metadata.uid.clone()?;
    let precondition = Some(Precondition { uid, resource_version: observed.metadata.resource_version.clone() });
    let status = json!(members.into_iter().collect::<Map<_, _>>());
    Some(Lane { stage: Stage::Conclude, writes: vec![Write::PatchStatus { key, precondition, status }] })
}
