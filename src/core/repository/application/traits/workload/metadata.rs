//! The traits `labels` and `annotations`.

use serde_json::{Map, Value};

use crate::application::parsed::set;
use crate::application::schema::text_map;
use crate::application::traits::target::Target;

/// Returns the schema of the properties.
pub(in crate::application::traits) fn schema() -> Value {
    text_map()
}

/// Adds labels or annotations to the workload and its pods.
pub(in crate::application::traits) fn apply(member: &str, properties: &Map<String, Value>, target: &mut Target<'_>) {
    let Some(workload) = target.objects.first_mut() else { return };
    let template = workload.pointer("/spec/template").is_some();
    for (name, value) in properties {
        set(workload, &["metadata", member, name], value.clone());
        if template {
            set(workload, &["spec", "template", "metadata", member, name], value.clone());
        }
    }
}
