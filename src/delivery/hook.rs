//! Pre-delete hooks: Jobs and Pods that run on a cluster before an add-on leaves it.

use serde_json::Value;

use crate::api::key;
use crate::api::ocm::manifest_work::ResourceIdentifier;
use crate::model::object::group_version;

use super::object::{has_annotation, has_label, text};

/// Says whether an object is a pre-delete hook: a Job or Pod of any group that bears the mark, as annotation or label.
pub(super) fn is_hook(object: &Value) -> bool {
    resource(object).is_some() && (has_annotation(object, key::PRE_DELETE) || has_label(object, key::PRE_DELETE))
}

/// Names a hook as the works do.
pub(super) fn identifier(hook: &Value) -> ResourceIdentifier {
    ResourceIdentifier {
        group: group_version(hook).map_or("", |(group, _)| group).to_owned(),
        resource: resource(hook).unwrap_or("").to_owned(),
        name: text(hook, "/metadata/name").to_owned(),
        namespace: text(hook, "/metadata/namespace").to_owned(),
    }
}

fn resource(object: &Value) -> Option<&'static str> {
    match text(object, "/kind") {
        "Job" => Some("jobs"),
        "Pod" => Some("pods"),
        _ => None,
    }
}
