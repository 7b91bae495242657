//! Workloads whose number of replicas is set by an autoscaler.

use std::collections::BTreeSet;

use serde_json::Value;

use tidegate_delivery::scaled;
use tidegate_model::object::ObjectKey;

/// Removes the number of replicas from the workloads that autoscalers scale, and returns these workloads. A cluster that has a number keeps it
/// until its autoscaler has set one.
pub(super) fn release(objects: &mut [Value]) -> BTreeSet<ObjectKey> {
    let scaled = scaled(objects.iter());
    if scaled.is_empty() {
        return scaled;
    }
    for object in objects.iter_mut().filter(|object| ObjectKey::of(object).is_some_and(|key| scaled.contains(&key))) {
        if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
            spec.remove("replicas");
        }
    }
    scaled
}
