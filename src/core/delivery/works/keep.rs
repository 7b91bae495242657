//! Objects whose deletion would delete what users have stored. They stay on a cluster when a unit leaves it.

use serde_json::{Value, json};

use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestWork, ResourceIdentifier};
use tidegate_model::object::ObjectKey;

use super::manifest_config::identifier;
use crate::go_object::unstructured::annotation;

/// The kinds.
const KEPT: [(&str, &str); 3] =
    [("", "Namespace"), ("", "PersistentVolumeClaim"), ("apiextensions.k8s.io", "CustomResourceDefinition")];

/// The reason of agents for an object that does not exist.
///
/// # Source
/// OCM, the condition `Available` of a manifest.
const NOT_AVAILABLE: &str = "ResourceNotAvailable";

/// Returns `true` for a kind whose objects stay on a cluster unless people say otherwise.
pub fn is_kept(group: &str, kind: &str) -> bool {
    KEPT.contains(&(group, kind))
}

/// An object that would be deleted together with a work although it has to stay.
#[derive(Debug, Clone, PartialEq)]
pub struct Unkept {
    /// The object.
    pub object: ObjectKey,
    /// The merge patch of the work that makes it stay; `None` if that is written, and the agent has not applied it yet.
    pub patch: Option<Value>,
}

/// Returns the first object of a work that would be deleted together with the work although it has to stay; `None` if there is none.
///
/// # Source
/// OCM's work agent removes its owner reference from an object that stays when it applies the work, and not when the work is deleted.
pub fn unkept(work: &ManifestWork) -> Option<Unkept> {
    let kept = kept(work);
    if kept.is_empty() {
        return None;
    }
    let option = work.spec.delete_option.as_ref();
    let policy = option.map(|option| option.propagation_policy.as_str()).unwrap_or_default();
    let known = option.and_then(|option| option.selectively_orphans.as_ref());
    let known: &[ResourceIdentifier] = known.map_or(&[], |known| &known.orphaning_rules);
    let stays = |id: &ResourceIdentifier| policy == "Orphan" || policy == "SelectivelyOrphan" && known.contains(id);
    let missing: Vec<(&ObjectKey, ResourceIdentifier)> =
        kept.iter().map(|object| (object, identifier(object))).filter(|(_, id)| !stays(id)).collect();
    if let Some((object, _)) = missing.first() {
        let known = known.iter().filter(|_| policy == "SelectivelyOrphan").cloned();
        let rules: Vec<ResourceIdentifier> = known.chain(missing.iter().map(|(_, id)| id.clone())).collect();
        let option =
            json!({ "propagationPolicy": "SelectivelyOrphan", "selectivelyOrphans": { "orphaningRules": rules } });
        let patch = json!({ "spec": { "deleteOption": option } });
        return Some(Unkept { object: (*object).clone(), patch: Some(patch) });
    }
    let is_unknown = |object: &&ObjectKey| !is_applied(work, object) && !is_absent(work, object);
    let unknown = kept.iter().find(is_unknown).filter(|_| was_seen(work));
    unknown.map(|object| Unkept { object: object.clone(), patch: None })
}

/// Returns `true` if the agent may have applied a work: it has reported on it, or holds it until its objects are gone.
fn was_seen(work: &ManifestWork) -> bool {
    work.status.is_some() || work.metadata.finalizers.as_ref().is_some_and(|finalizers| !finalizers.is_empty())
}

/// Returns `true` if the agent reports that it has applied an object as this generation of the work says.
fn is_applied(work: &ManifestWork, object: &ObjectKey) -> bool {
    let Some(status) = &work.status else { return false };
    let reports = status.resource_status.iter().flat_map(|reports| &reports.manifests);
    let mut reports = reports.filter(|report| report.resource_meta.key() == *object);
    let applied = condition::find(&status.conditions, key::APPLIED);
    applied.is_some_and(|applied| {
        applied.observed_generation == work.metadata.generation
            && (applied.status == "True" || reports.any(|report| condition::is_true(&report.conditions, key::APPLIED)))
    })
}

/// Returns `true` if the agent reports for this generation of the work that an object does not exist: there is nothing to lose.
fn is_absent(work: &ManifestWork, object: &ObjectKey) -> bool {
    let Some(status) = &work.status else { return false };
    let is_current = condition::find(&status.conditions, key::AVAILABLE)
        .is_some_and(|available| available.observed_generation == work.metadata.generation);
    let reports = status.resource_status.iter().flat_map(|reports| &reports.manifests);
    let mut of_object = reports.filter(|report| report.resource_meta.key() == *object);
    let is_missing = |report: &ManifestCondition| {
        let available = condition::find(&report.conditions, key::AVAILABLE);
        available.is_some_and(|found| found.status == "False" && found.reason == NOT_AVAILABLE)
    };
    is_current && of_object.any(is_missing)
}

/// Returns the objects of a work that have to stay.
fn kept(work: &ManifestWork) -> Vec<ObjectKey> {
    let objects = work.spec.workload.as_ref().map(|workload| workload.objects()).unwrap_or_default();
    let stays = |object: &Value| {
        let key = ObjectKey::of(object)?;
        let may_go = annotation(object, key::DELETE_WITH_UNIT).is_some() && key.kind != "Namespace";
        (is_kept(&key.group, &key.kind) && !may_go).then_some(key)
    };
    objects.iter().filter_map(stays).collect()
}
