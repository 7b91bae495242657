//! How far the works of an add-on are: which configurations they carry, and whether the cluster has taken them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use crate::api::condition::{self, Claim};
use crate::api::key;
use crate::api::ocm::managed_cluster_addon::AddOnConfigReference;
use crate::api::ocm::manifest_work::ManifestWork;
use crate::model::canonical::go_json;

use super::layout::Works;
use super::work::Work;

/// Returns the value of the annotation by which a work says what it was rendered from, or `None` for an add-on without
/// configurations: a JSON object from `<resource>[.<group>]/<namespace>/<name>` to the spec hash.
pub fn config_hash_annotation(references: &[AddOnConfigReference]) -> Option<String> {
    (!references.is_empty()).then(|| go_json(&json!(hashes(references))))
}

fn hashes(references: &[AddOnConfigReference]) -> BTreeMap<String, &str> {
    references
        .iter()
        .filter_map(|reference| {
            let desired = reference.desired_config.as_ref()?;
            let dot = if reference.group.is_empty() { "" } else { "." };
            let (resource, group) = (&reference.resource, &reference.group);
            let name = format!("{resource}{dot}{group}/{}/{}", desired.namespace, desired.name);
            Some((name, desired.spec_hash.as_str()))
        })
        .collect()
}

/// Says whether a work was rendered from exactly these configurations, all of which must be known by their hash.
///
/// A work that says nothing of configurations matches an add-on that has none.
pub fn matches_configs(work: &ManifestWork, references: &[AddOnConfigReference]) -> bool {
    let annotation = work.metadata.annotations.iter().flatten().find(|(name, _)| *name == key::CONFIG_SPEC_HASH);
    let Some((_, annotation)) = annotation else { return references.is_empty() };
    let Ok(carried) = serde_json::from_str::<BTreeMap<String, String>>(annotation) else { return false };
    let has_hash = |reference: &AddOnConfigReference| {
        reference.desired_config.as_ref().is_some_and(|desired| !desired.spec_hash.is_empty())
    };
    carried.values().all(|hash| !hash.is_empty())
        && references.iter().all(has_hash)
        && carried
            .iter()
            .map(|(name, hash)| (name.as_str(), hash.as_str()))
            .eq(hashes(references).iter().map(|(name, hash)| (name.as_str(), *hash)))
}

/// Says whether the cluster has applied a work as it is written, and all of its objects are there.
pub fn is_ready(work: &ManifestWork) -> bool {
    let Some(status) = &work.status else { return false };
    [key::AVAILABLE, key::APPLIED].iter().all(|type_| {
        condition::find(&status.conditions, type_)
            .is_some_and(|c| c.status == "True" && c.observed_generation == work.metadata.generation)
    })
}

/// Returns the condition `ManifestApplied` of an add-on: whether the cluster has applied its works.
///
/// `None` while a work is missing or its agent has not answered. One refused work makes the condition `False`, whatever the
/// order of the works.
pub fn manifest_applied(wanted: &Works, existing: &BTreeMap<String, Arc<ManifestWork>>) -> Option<Claim> {
    const REASON: &str = "AddonManifestApplied";
    let claim = |status, reason, message| Some(Claim::new(key::MANIFEST_APPLIED, status, reason, message));
    if wanted.apply.is_empty() {
        return claim("True", REASON, "no manifest need to apply");
    }
    let applied = |work: &Work| -> Option<bool> {
        let status = existing.get(&work.name)?.status.as_ref()?;
        Some(condition::find(&status.conditions, key::APPLIED)?.status == "True")
    };
    let answers: Vec<Option<bool>> = wanted.apply.iter().map(applied).collect();
    if answers.contains(&Some(false)) {
        claim("False", "AddonManifestAppliedFailed", "failed to apply the manifests of addon")
    } else if answers.contains(&None) {
        None
    } else {
        claim("True", REASON, "manifests of addon are applied successfully")
    }
}
