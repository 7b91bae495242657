//! Reports: the status that a work agent writes into a ManifestWork.
//!
//! # Source
//! OCM `pkg/work/spoke/controllers` (manifest and status controllers), read 2026-08-11.

use serde_json::Value;

use super::script::Health;
use super::{feedback, manifest};
use tidegate_api::condition::{self, Claim, Condition};
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{
    ManifestCondition, ManifestConfigOption, ManifestResourceMeta, ManifestResourceStatus, ManifestWorkStatus,
    StatusFeedback,
};
use tidegate_model::time::Timestamp;

const FEEDBACK_SYNCED: &str = "StatusFeedbackSynced";

/// The inputs of a report.
struct Situation<'a> {
    configs: Vec<ManifestConfigOption>,
    before: &'a [ManifestCondition],
    generation: i64,
    health: Health,
    sees_objects: bool,
    now: Timestamp,
}

/// Returns the generation of a work if its agent has not reported on it yet.
pub(crate) fn unanswered(work: &Value) -> Option<i64> {
    let generation = work.pointer("/metadata/generation").and_then(Value::as_i64).unwrap_or(0);
    let conditions = work.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten();
    let applied = conditions.into_iter().find(|c| c.get("type").and_then(Value::as_str) == Some(key::APPLIED));
    let observed = applied.and_then(|condition| condition.get("observedGeneration")?.as_i64());
    (observed != Some(generation)).then_some(generation)
}

/// Returns the status of a work after its agent has processed it. Until the agent `sees_objects`, it repeats what it reported of them.
pub(crate) fn report(work: &Value, health: Health, sees_objects: bool, now: Timestamp) -> ManifestWorkStatus {
    let read = |pointer: &str| work.pointer(pointer).cloned().unwrap_or_default();
    // A status that cannot be parsed is replaced.
    let mut status: ManifestWorkStatus = serde_json::from_value(read("/status")).unwrap_or_default();
    let before = status.resource_status.take().unwrap_or_default().manifests;
    let situation = Situation {
        configs: serde_json::from_value(read("/spec/manifestConfigs")).unwrap_or_default(),
        before: &before,
        generation: work.pointer("/metadata/generation").and_then(Value::as_i64).unwrap_or(0),
        health,
        sees_objects,
        now,
    };
    let manifests = work.pointer("/spec/workload/manifests").and_then(Value::as_array).into_iter().flatten();
    let manifests: Vec<ManifestCondition> =
        manifests.enumerate().map(|(ordinal, manifest)| situation.manifest(ordinal, manifest)).collect();
    let claims = [situation.applied(), available(&manifests)];
    for claim in claims {
        let type_ = claim.type_;
        condition::set(&mut status.conditions, claim, now);
        observe(&mut status.conditions, type_, situation.generation);
    }
    status.resource_status = Some(ManifestResourceStatus { manifests });
    status
}

impl Situation<'_> {
    fn applied(&self) -> Claim {
        match self.health {
            Health::Refused => {
                Claim::new(key::APPLIED, "False", "AppliedManifestWorkFailed", "Failed to apply manifest work")
            }
            _ => Claim::new(key::APPLIED, "True", "AppliedManifestWorkComplete", "Apply manifest work complete"),
        }
    }

    fn manifest(&self, ordinal: usize, manifest: &Value) -> ManifestCondition {
        let meta = manifest::meta(ordinal, manifest);
        let before = self.before(&meta).cloned().unwrap_or_default();
        let mut conditions = before.conditions;
        // An `Applied` condition of another generation does not apply to this one.
        conditions.retain(|c| c.type_ != key::APPLIED || c.observed_generation == Some(self.generation));
        let has_existed = conditions.iter().any(|c| c.type_ == key::AVAILABLE && c.status == "True");
        let mut set = |claim| condition::set(&mut conditions, claim, self.now);
        if self.health == Health::Refused {
            let message = "Failed to apply manifest: the cluster rejected it";
            set(Claim::new(key::APPLIED, "False", "AppliedManifestFailed", message));
        } else {
            set(Claim::new(key::APPLIED, "True", "AppliedManifestComplete", "Apply manifest complete"));
        }
        if !self.sees_objects && !has_existed {
            set(Claim::new(key::AVAILABLE, "Unknown", "ResourcesStatusUnknown", "The status is not known yet"));
        } else if self.health == Health::Refused && !has_existed {
            set(Claim::new(key::AVAILABLE, "False", "ResourceNotAvailable", "Resource is not available"));
        } else {
            set(Claim::new(key::AVAILABLE, "True", "ResourceAvailable", "Resource is available"));
        }
        observe(&mut conditions, key::APPLIED, self.generation);
        let mut status_feedback = before.status_feedback;
        if self.health != Health::Refused && self.sees_objects {
            status_feedback = self.feedback(&meta, manifest, status_feedback, &mut conditions);
        }
        ManifestCondition { resource_meta: meta, status_feedback, conditions }
    }

    fn feedback(
        &self,
        meta: &ManifestResourceMeta,
        manifest: &Value,
        before: Option<StatusFeedback>,
        conditions: &mut Vec<Condition>,
    ) -> Option<StatusFeedback> {
        let rules = feedback::rules(&self.configs, meta);
        let (values, failures) = feedback::values(rules, &manifest::on_cluster(manifest, self.health, self.generation));
        let feedback = Some(StatusFeedback { values }).filter(|feedback| !feedback.values.is_empty());
        if feedback != before {
            conditions.retain(|c| c.type_ != FEEDBACK_SYNCED);
        }
        let claim = match (rules, failures.as_slice()) {
            ([], _) => Claim::new(FEEDBACK_SYNCED, "True", "NoStatusFeedbackSynced", ""),
            (_, []) => Claim::new(FEEDBACK_SYNCED, "True", "StatusFeedbackSynced", ""),
            (_, failures) => {
                let message = format!("Sync status feedback failed with error {}", failures.join(", "));
                Claim::new(FEEDBACK_SYNCED, "False", "StatusFeedbackSyncFailed", message)
            }
        };
        condition::set(conditions, claim, self.now);
        feedback
    }

    /// Finds the previous report on a manifest: at the same ordinal, or else at the only other ordinal where it was reported.
    fn before(&self, meta: &ManifestResourceMeta) -> Option<&ManifestCondition> {
        let elsewhere = |other: &&ManifestCondition| {
            ManifestResourceMeta { ordinal: meta.ordinal, ..other.resource_meta.clone() } == *meta
        };
        let same = self.before.iter().find(|other| other.resource_meta == *meta);
        let mut moved = self.before.iter().filter(elsewhere);
        same.or_else(|| moved.next().filter(|_| moved.next().is_none()))
    }
}

fn available(manifests: &[ManifestCondition]) -> Claim {
    let (all, there) = (manifests.len(), |m: &&ManifestCondition| condition::is_true(&m.conditions, key::AVAILABLE));
    let missing = all - manifests.iter().filter(there).count();
    if all == 0 {
        let message = "cannot get any available resource ";
        Claim::new(key::AVAILABLE, "Unknown", "ResourcesStatusUnknown", message)
    } else if missing > 0 {
        let message = format!("{missing} of {all} resources are not available");
        Claim::new(key::AVAILABLE, "False", "ResourcesNotAvailable", message)
    } else {
        Claim::new(key::AVAILABLE, "True", "ResourcesAvailable", "All resources are available")
    }
}

fn observe(conditions: &mut [Condition], type_: &str, generation: i64) {
    if let Some(condition) = conditions.iter_mut().find(|condition| condition.type_ == type_) {
        condition.observed_generation = Some(generation);
    }
}
