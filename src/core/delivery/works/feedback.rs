//! The values of a workload that the agent reports, so that its health can be judged.

use tidegate_api::ocm::manifest_work::{FeedbackRule, JsonPath, ResourceIdentifier};

use crate::template::workload::Kind;

/// Feedback values beyond the well-known ones, by name and path. The names start with `Tidegate`, so that they do not collide
/// with values that a template asks for.
pub(crate) const GENERATION: (&str, &str) = ("TidegateGeneration", ".metadata.generation");
pub(crate) const OBSERVED: (&str, &str) = ("TidegateObservedGeneration", ".status.observedGeneration");
pub(crate) const DESIRED: (&str, &str) = ("TidegateDesiredReplicas", ".spec.replicas");
pub(crate) const UPDATED: (&str, &str) = ("TidegateUpdatedReplicas", ".status.updatedReplicas");
pub(crate) const UPDATED_NODES: (&str, &str) = ("TidegateUpdatedNumberScheduled", ".status.updatedNumberScheduled");

/// Returns the feedback rule for the values that strict needs from a workload.
pub(super) fn rule(workload: &ResourceIdentifier) -> FeedbackRule {
    let paths: &[(&str, &str)] = if workload.resource == Kind::Deployment.resource() {
        &[GENERATION, OBSERVED, DESIRED, UPDATED]
    } else {
        &[GENERATION, OBSERVED, UPDATED_NODES]
    };
    let path = |(name, path): &(&str, &str)| JsonPath {
        name: (*name).to_owned(),
        path: (*path).to_owned(),
        ..JsonPath::default()
    };
    FeedbackRule { type_: "JSONPaths".to_owned(), json_paths: paths.iter().map(path).collect() }
}
