//! The number of replicas of an entry, which all workloads of its revision get.

use serde_json::{Value, json};

use crate::application::parsed::{COMPONENT_LABEL, set};
use crate::application::rendered::Rendered;
use tidegate_delivery::scaled;
use tidegate_model::object::ObjectKey;

/// Kinds with `spec.replicas`, which may be absent.
const SCALABLE: [&str; 5] = ["CloneSet", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"];
/// Kinds that run pods, and have no number of replicas.
const OTHERS: [&str; 4] = ["CronJob", "DaemonSet", "Job", "Pod"];

/// A workload whose number of replicas cannot be set.
#[derive(Debug, PartialEq)]
pub(crate) struct Unscalable {
    /// The name of its component.
    pub(crate) component: String,
    pub(crate) kind: String,
    /// Whether an autoscaler sets it; otherwise, it has none.
    pub(crate) is_scaled: bool,
}

/// Returns `true` if an object is a workload with a number of replicas, `false` for one without, and `None` if it is not a workload.
fn is_scalable(object: &Value) -> Option<bool> {
    let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default();
    let has_replicas = object.pointer("/spec/replicas").is_some();
    let runs_pods = object.pointer("/spec/template/spec/containers").is_some();
    match kind {
        _ if SCALABLE.contains(&kind) || has_replicas => Some(true),
        _ if OTHERS.contains(&kind) || runs_pods => Some(false),
        _ => None,
    }
}

/// Sets the number of replicas of each workload.
pub(super) fn scale(objects: &mut [Rendered], replicas: i64) {
    let workloads = objects.iter_mut().filter(|rendered| is_scalable(&rendered.object) == Some(true));
    workloads.for_each(|rendered| set(&mut rendered.object, &["spec", "replicas"], json!(replicas)));
}

/// Returns the workloads of a revision without a number of replicas, and those whose number an autoscaler sets.
///
/// # Errors
/// [`NoWorkload`] if the revision has no workload at all, so that a number of replicas has no effect.
pub(crate) fn unscalable(objects: &[Rendered]) -> Result<Vec<Unscalable>, NoWorkload> {
    let workloads: Vec<(&Value, bool)> =
        objects.iter().filter_map(|rendered| Some((&rendered.object, is_scalable(&rendered.object)?))).collect();
    if workloads.is_empty() {
        return Err(NoWorkload);
    }
    let scaled = scaled(objects.iter().map(|rendered| &rendered.object));
    let is_scaled = |object: &Value| ObjectKey::of(object).is_some_and(|key| scaled.contains(&key));
    let without = workloads.into_iter().filter(|(object, is_scalable)| !is_scalable || is_scaled(object));
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let found = without.map(|(object, _)| Unscalable {
        component: text(object.pointer("/metadata/labels").and_then(|labels| labels.get(COMPONENT_LABEL))),
        kind: text(object.get("kind")),
        is_scaled: is_scaled(object),
    });
    Ok(found.collect())
}

/// A revision without workloads.
#[derive(Debug, PartialEq)]
pub(crate) struct NoWorkload;
