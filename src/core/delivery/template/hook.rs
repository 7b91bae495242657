//! Pre-delete hooks: Jobs and Pods that run on a cluster before an add-on leaves it.

use serde_json::Value;

use tidegate_api::key;
use tidegate_api::ocm::manifest_work::ResourceIdentifier;

use crate::go_object::unstructured::{GroupVersionKind, annotation, label, text};

/// Returns `true` if an object is a pre-delete hook: a Job or Pod of any group with the hook annotation or label.
pub(crate) fn is_hook(object: &Value) -> bool {
    let is_marked = || annotation(object, key::PRE_DELETE).is_some() || label(object, key::PRE_DELETE).is_some();
    resource(GroupVersionKind::of(object).kind).is_some() && is_marked()
}

/// Returns the identifier of a hook as used in works.
pub(crate) fn identifier(hook: &Value) -> ResourceIdentifier {
    let GroupVersionKind { group, kind, .. } = GroupVersionKind::of(hook);
    ResourceIdentifier {
        group: group.to_owned(),
        resource: resource(kind).unwrap_or("").to_owned(),
        name: text(hook, ["metadata", "name"]).to_owned(),
        namespace: text(hook, ["metadata", "namespace"]).to_owned(),
    }
}

fn resource(kind: &str) -> Option<&'static str> {
    match kind {
        "Job" => Some("jobs"),
        "Pod" => Some("pods"),
        _ => None,
    }
}
