//! Workloads whose number of replicas is set by an autoscaler.

use std::collections::BTreeSet;

use serde_json::Value;

use tidegate_model::object::ObjectKey;

/// A kind of autoscaler.
struct Autoscaler {
    group: &'static str,
    kind: &'static str,
    /// The version and the kind that it scales by default.
    default: (&'static str, &'static str),
    /// The member of `spec` with the least number of replicas.
    least: &'static str,
}

const AUTOSCALERS: [Autoscaler; 2] = [
    Autoscaler { group: "autoscaling", kind: "HorizontalPodAutoscaler", default: ("", ""), least: "minReplicas" },
    Autoscaler { group: "keda.sh", kind: "ScaledObject", default: ("apps/v1", "Deployment"), least: "minReplicaCount" },
];

/// Returns the objects that autoscalers among the given objects scale.
pub fn scaled<'o>(objects: impl IntoIterator<Item = &'o Value>) -> BTreeSet<ObjectKey> {
    objects.into_iter().filter_map(|object| target(of(object)?, object)).collect()
}

/// Returns the least number of replicas that an autoscaler among the given objects leaves a workload; `None` if it names none, or a workload
/// has 1 replica or none then, which needs no number.
pub(super) fn least<'o>(objects: impl IntoIterator<Item = &'o Value>, workload: &ObjectKey) -> Option<i64> {
    let number = |object: &Value| {
        let autoscaler = of(object)?;
        let number = object.pointer("/spec")?.get(autoscaler.least)?.as_i64()?;
        (target(autoscaler, object).as_ref() == Some(workload)).then_some(number)
    };
    objects.into_iter().filter_map(number).max().filter(|number| (2..=i64::from(i32::MAX)).contains(number))
}

/// Returns the kind of an autoscaler; `None` for another object.
fn of(object: &Value) -> Option<&'static Autoscaler> {
    let ObjectKey { group, kind, .. } = ObjectKey::of(object)?;
    AUTOSCALERS.iter().find(|known| (known.group, known.kind) == (&*group, &*kind))
}

/// Returns what an autoscaler scales.
fn target(autoscaler: &Autoscaler, object: &Value) -> Option<ObjectKey> {
    let ObjectKey { namespace, .. } = ObjectKey::of(object)?;
    let (version, default) = autoscaler.default;
    let reference = object.pointer("/spec/scaleTargetRef")?;
    let text = |member: &str| reference.get(member).and_then(Value::as_str).filter(|text| !text.is_empty());
    let version = text("apiVersion").unwrap_or(version);
    let group = version.split_once('/').map_or("", |(group, _)| group);
    Some(ObjectKey {
        group: group.to_owned(),
        kind: text("kind").unwrap_or(default).to_owned(),
        namespace,
        name: text("name")?.to_owned(),
    })
}
