//! What is kept of a ManifestWork: a large fleet has one for each add-on on each cluster.

use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestWork};

/// Drops the parts of the reports about manifests that show nothing: conditions that are not `False`, and reports without a condition or
/// value.
pub(super) fn reduce(work: &mut ManifestWork) {
    let Some(status) = work.status.as_mut().and_then(|status| status.resource_status.as_mut()) else { return };
    status.manifests.retain_mut(|report| {
        report.conditions.retain(|condition| condition.status == "False");
        has_evidence(report)
    });
    status.manifests.shrink_to_fit();
}

fn has_evidence(report: &ManifestCondition) -> bool {
    let has_values = report.status_feedback.as_ref().is_some_and(|feedback| !feedback.values.is_empty());
    has_values || !report.conditions.is_empty()
}

/// Shares the manifests with those of another work, if they are equal: most manifests are the same on all clusters.
pub(super) fn share(work: &mut ManifestWork, other: &ManifestWork) {
    let (Some(own), Some(others)) = (&mut work.spec.workload, &other.spec.workload) else { return };
    for (manifest, other) in own.manifests.iter_mut().zip(&others.manifests) {
        manifest.share(other);
    }
}
