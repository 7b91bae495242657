//! The kinds that a repository never declares, whatever the operator allows.

use tidegate_api::key::{CERTIFICATES_GROUP, CLUSTER_GROUP, WORK_GROUP};
use tidegate_model::object::ObjectKey;

/// Returns `true` for a namespace of Kubernetes, of OCM, or of Tidegate itself.
pub fn is_system_namespace(name: &str) -> bool {
    let starts = ["kube-", "open-cluster-management-", "openshift-"];
    matches!(name, "default" | "open-cluster-management" | "openshift" | "tidegate")
        || starts.iter().any(|start| name.starts_with(start))
}

/// Returns why objects of a kind can never be declared, whatever the operator allows.
pub(crate) fn never(key: &ObjectKey) -> Option<&'static str> {
    match (key.group.as_str(), key.kind.as_str()) {
        (WORK_GROUP, _) => Some(
            "it would reach clusters past every rollout, policy and approval; remove it, and deliver its manifests with an AddOnTemplate",
        ),
        (CLUSTER_GROUP, "PlacementDecision") => {
            Some("schedulers write the decisions of Placements; remove it, and declare a Placement")
        }
        (CERTIFICATES_GROUP, _) => Some("agents write such requests, and Tidegate approves them; remove it"),
        ("" | "events.k8s.io", "Event") | ("coordination.k8s.io", _) => {
            Some("controllers write such objects; remove it")
        }
        _ => None,
    }
}
