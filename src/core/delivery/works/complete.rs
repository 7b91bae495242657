//! Checks whether the pre-delete hooks of an add-on have completed on a cluster.

use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestWork, ResourceIdentifier};

/// Returns `true` if a cluster reports that all hooks of a work have completed. A work that is being deleted has not.
///
/// # Source
/// OCM addon-framework, the hook sync of the deploy controller. Upstream does not count any hook until all manifests have feedback;
/// here each hook is looked up by its own identifier.
pub fn hooks_completed(work: &ManifestWork) -> bool {
    let Some(status) = &work.status else { return false };
    let hooks = &work.spec.manifest_configs;
    let reports = || status.resource_status.iter().flat_map(|status| &status.manifests);
    work.metadata.deletion_timestamp.is_none()
        && condition::is_true(&status.conditions, key::AVAILABLE)
        && !hooks.is_empty()
        && hooks.iter().all(|hook| reports().any(|report| is_completed(&hook.resource_identifier, report)))
}

fn is_completed(hook: &ResourceIdentifier, report: &ManifestCondition) -> bool {
    let meta = &report.resource_meta;
    let is_same = (&meta.group, &meta.resource, &meta.namespace, &meta.name)
        == (&hook.group, &hook.resource, &hook.namespace, &hook.name);
    let (name, wanted) = match hook.resource.as_str() {
        "jobs" => ("JobComplete", "True"),
        "pods" => ("PodPhase", "Succeeded"),
        _ => return false,
    };
    let values = report.status_feedback.iter().flat_map(|feedback| &feedback.values);
    is_same && values.into_iter().any(|v| v.name == name && v.field_value.string.as_deref() == Some(wanted))
}

/// Returns the condition `HookManifestCompleted` of an add-on that is being deleted.
pub fn hook_claim(work: &str, is_completed: bool) -> Claim {
    let (status, reason, what) = match is_completed {
        true => ("True", "HookManifestIsCompleted", "is completed"),
        false => ("False", "HookManifestIsNotCompleted", "is not completed"),
    };
    Claim::new(key::HOOK_COMPLETED, status, reason, format!("hook manifestWork {work} {what}."))
}
