//! Workloads whose number of replicas is set by an autoscaler.

use std::collections::BTreeSet;

use serde_json::Value;

use tidegate_model::object::ObjectKey;

/// Kinds of autoscalers, with the kind that they scale by default.
const AUTOSCALERS: [(&str, &str, &str, &str); 2] =
    [("autoscaling", "HorizontalPodAutoscaler", "", ""), ("keda.sh", "ScaledObject", "apps/v1", "Deployment")];

/// Returns the objects that autoscalers among the given objects scale.
pub fn scaled<'o>(objects: impl IntoIterator<Item = &'o Value>) -> BTreeSet<ObjectKey> {
    objects.into_iter().filter_map(target).collect()
}

/// Returns what an object scales; `None` if it is not an autoscaler.
fn target(object: &Value) -> Option<ObjectKey> {
    let ObjectKey { group, kind, namespace, .. } = ObjectKey::of(object)?;
    let (.., version, default) = AUTOSCALERS.into_iter().find(|known| (known.0, known.1) == (&*group, &*kind))?;
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
