//! The traits `labels` and `annotations`.

use serde_json::{Map, Value};

use super::Target;
use crate::application::parsed::set;
use crate::application::schema::text_map;

/// Returns the schema of the properties.
pub(super) fn schema() -> Value {
    text_map()
}

/// Adds labels or annotations to the workload and its pods.
pub(super) fn apply(member: &str, properties: &Map<String, Value>, target: &mut Target<'_>) {
    let Some(workload) = target.objects.first_mut() else { return };
    let template = workload.pointer("/spec/template").is_some();
    for (name, value) in properties {
        set(workload, &["metadata", member, name], value.clone());
        if template {
            set(workload, &["spec", "template", "metadata", member, name], value.clone());
        }
    }
}
