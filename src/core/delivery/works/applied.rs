//! Checks whether a cluster has applied the works of an add-on.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::ManifestWork;

/// Returns the condition `ManifestApplied` of an add-on: whether the cluster has applied the works with these names.
///
/// `None` while a work is missing or its agent has not answered. One refused work makes the condition `False`, regardless
/// of the order of the works.
pub fn manifest_applied<'w>(
    wanted: impl IntoIterator<Item = &'w str>,
    existing: &BTreeMap<String, Arc<ManifestWork>>,
) -> Option<Claim> {
    const REASON: &str = "AddonManifestApplied";
    let claim = |status, reason, message| Some(Claim::new(key::MANIFEST_APPLIED, status, reason, message));
    let applied = |work: &str| -> Option<bool> {
        let status = existing.get(work)?.status.as_ref()?;
        Some(condition::find(&status.conditions, key::APPLIED)?.status == "True")
    };
    let answers: Vec<Option<bool>> = wanted.into_iter().map(applied).collect();
    if answers.is_empty() {
        claim("True", REASON, "no manifest need to apply")
    } else if answers.contains(&Some(false)) {
        claim("False", "AddonManifestAppliedFailed", "failed to apply the manifests of addon")
    } else if answers.contains(&None) {
        None
    } else {
        claim("True", REASON, "manifests of addon are applied successfully")
    }
}
