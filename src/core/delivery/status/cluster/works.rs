//! The progress of an add-on's works on a cluster: which configurations they carry, and whether the cluster applied them.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonprogressing`, addon-framework `pkg/addonmanager/controllers/agentdeploy` (2026-08-11).

use std::collections::BTreeMap;

use serde_json::json;

use super::progress::Progress;
use crate::status::config::entry::Entry as _;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_go::canonical::go_json;

/// Returns the progress of a cluster according to its works alone. A work of a pre-delete hook counts as existing, but is not checked further.
///
/// `hook` is the name of the work that runs the hooks.
pub fn delivered<'a>(
    hook: &str,
    references: &[AddOnConfigReference],
    works: impl IntoIterator<Item = &'a ManifestWork>,
) -> Progress {
    let (mut is_there, mut is_ready) = (false, true);
    for work in works {
        is_there = true;
        if work.metadata.name.as_ref().is_some_and(|name| name.starts_with(hook)) {
            continue;
        }
        if !matches(work, references) {
            return Progress::OtherConfigs;
        }
        is_ready &= self::is_ready(work);
    }
    match (is_there, is_ready) {
        (false, _) => Progress::NoWorks,
        (true, false) => Progress::NotReady,
        (true, true) => Progress::Completed,
    }
}

/// Returns the value of the annotation that lists the configurations a work was rendered from: a JSON object that maps
/// `<resource>[.<group>]/<namespace>/<name>` to the spec hash. `None` for an add-on without configurations.
pub fn annotation(references: &[AddOnConfigReference]) -> Option<String> {
    (!references.is_empty()).then(|| go_json(&json!(hashes(references))))
}

fn hashes(references: &[AddOnConfigReference]) -> BTreeMap<String, &str> {
    references
        .iter()
        .filter_map(|reference| {
            let ((group, resource), desired) = (reference.kind(), reference.desired_config()?);
            let dot = if group.is_empty() { "" } else { "." };
            let name = format!("{resource}{dot}{group}/{}/{}", desired.namespace, desired.name);
            Some((name, desired.spec_hash.as_str()))
        })
        .collect()
}

/// Returns `true` if a work was rendered from exactly these configurations, all of which must have a hash.
///
/// A work without the annotation matches an add-on without configurations.
pub fn matches(work: &ManifestWork, references: &[AddOnConfigReference]) -> bool {
    let annotation = work.metadata.annotations.as_ref().and_then(|a| a.get(key::CONFIG_SPEC_HASH));
    let Some(annotation) = annotation else { return references.is_empty() };
    // Go reads `null` as an empty map, and a null value as an empty string.
    type Carried = Option<BTreeMap<String, Option<String>>>;
    let Ok(carried) = serde_json::from_str::<Carried>(annotation) else { return false };
    let carried = carried.unwrap_or_default();
    let is_known = |hash: Option<&str>| hash.is_some_and(|hash| !hash.is_empty());
    let assigned =
        |reference: &AddOnConfigReference| is_known(reference.desired_config().map(|c| c.spec_hash.as_str()));
    let wanted = hashes(references);
    carried.values().all(|hash| is_known(hash.as_deref()))
        && references.iter().all(assigned)
        && carried.len() == wanted.len()
        && carried.iter().all(|(name, hash)| wanted.get(name).copied() == hash.as_deref())
}

/// Returns `true` if the cluster has applied a work at its current generation, and all of its objects exist.
pub fn is_ready(work: &ManifestWork) -> bool {
    let generation = work.metadata.generation.unwrap_or_default();
    let conditions = work.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    [key::AVAILABLE, key::APPLIED].iter().all(|type_| {
        condition::find(conditions, type_)
            .is_some_and(|c| c.status == "True" && c.observed_generation.unwrap_or_default() == generation)
    })
}
