//! Checks that the containers of pods have images.
//!
//! # Source
//! Kubernetes `pkg/apis/core/validation`: "`image`: Required value". The schema does not require it, because an admission webhook may set it.

use serde_json::Value;

use super::variable::is_key_of;
use super::{Manifest, Problems};

/// Adds a warning for each container without an image.
pub(super) fn check(manifest: Manifest<'_>, problems: &mut Problems) {
    let spec: &[&str] = match (manifest.group, manifest.kind) {
        ("", "Pod") => &["spec"],
        ("batch", "CronJob") => &["spec", "jobTemplate", "spec", "template", "spec"],
        ("apps", "DaemonSet" | "Deployment" | "ReplicaSet" | "StatefulSet") | ("batch", "Job") => {
            &["spec", "template", "spec"]
        }
        _ => return,
    };
    for list in ["initContainers", "containers"] {
        let fields = [spec, &[list]].concat();
        let value = fields.iter().try_fold(manifest.value, |value, field| value.get(field));
        for (index, container) in value.and_then(Value::as_array).into_iter().flatten().enumerate() {
            let is_missing = match container.get("image") {
                None => container.is_object() && !is_key_of(container),
                Some(image) => image.is_null() || image.as_str() == Some(""),
            };
            if is_missing {
                let at = manifest.path(&fields).item(index);
                problems.warning(manifest.template.value_origin(&at), || {
                    format!("{at} has no image, so API servers refuse this unless an admission webhook sets one; add `image`")
                });
            }
        }
    }
}
