//! Manifests of a work, and the simulated resources on the cluster.

use serde_json::{Value, json};

use super::script::Health;
use crate::object;
use tidegate_api::ocm::manifest_work::ManifestResourceMeta;
use tidegate_model::object::group_version;

/// Returns the resource metadata that identifies a manifest in a report.
pub(crate) fn meta(ordinal: usize, manifest: &Value) -> ManifestResourceMeta {
    let (group, version) = group_version(manifest).unwrap_or_default();
    let kind = manifest.get("kind").and_then(Value::as_str).unwrap_or_default();
    ManifestResourceMeta {
        ordinal: i32::try_from(ordinal).unwrap_or(i32::MAX),
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
        resource: plural(kind),
        name: object::text(manifest, "name").to_owned(),
        namespace: object::text(manifest, "namespace").to_owned(),
    }
}

/// Guesses the plural of a kind, as Kubernetes does without discovery.
fn plural(kind: &str) -> String {
    let singular = kind.to_lowercase();
    if singular == "endpoints" {
        return singular;
    }
    match singular.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if singular.ends_with(['s', 'x', 'z']) || singular.ends_with("ch") || singular.ends_with("sh") => {
            format!("{singular}es")
        }
        _ => format!("{singular}s"),
    }
}

/// The uid of every simulated resource.
const UID: &str = "00000000-0000-4000-8000-000000000000";

/// Returns the resource as it would exist on the cluster, with the status that its controllers would write.
///
/// Kubernetes omits replica counts that are 0, and so does this status.
pub(crate) fn on_cluster(manifest: &Value, health: Health, generation: i64) -> Value {
    let ready = health == Health::Ready;
    let mut object = manifest.clone();
    // The simulated resource has the generation of its work, and its controllers have observed it.
    if object.get("metadata").is_some_and(Value::is_object) {
        object["metadata"]["generation"] = json!(generation);
        object["metadata"]["uid"] = json!(UID);
    }
    let replicas = manifest.pointer("/spec/replicas").and_then(Value::as_u64).unwrap_or(1);
    let condition =
        |type_: &str, holds: bool| json!([{ "type": type_, "status": if holds { "True" } else { "False" } }]);
    let api_version = manifest.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    let status = match (api_version, manifest.get("kind").and_then(Value::as_str).unwrap_or_default()) {
        ("apps/v1", "Deployment") => {
            let up = if ready { replicas } else { 0 };
            json!({
                "replicas": replicas, "updatedReplicas": replicas, "readyReplicas": up, "availableReplicas": up,
                "unavailableReplicas": replicas - up, "observedGeneration": generation,
            })
        }
        ("apps/v1", "DaemonSet") => json!({
            "desiredNumberScheduled": 1, "currentNumberScheduled": 1, "updatedNumberScheduled": 1,
            "observedGeneration": generation,
            "numberReady": u8::from(ready), "numberAvailable": u8::from(ready),
        }),
        ("apps/v1", "StatefulSet") => {
            let updated = replicas - partition(manifest, "/spec/updateStrategy/rollingUpdate/partition", replicas);
            json!({
                "replicas": replicas, "updatedReplicas": updated, "readyReplicas": if ready { replicas } else { 0 },
                "currentRevision": if updated == replicas { "newest" } else { "earlier" }, "updateRevision": "newest",
                "observedGeneration": generation,
            })
        }
        ("apps.kruise.io/v1alpha1", "CloneSet") => {
            let updated = replicas - partition(manifest, "/spec/updateStrategy/partition", replicas);
            json!({
                "replicas": replicas, "updatedReplicas": updated, "expectedUpdatedReplicas": updated,
                "readyReplicas": if ready { replicas } else { 0 },
                "updatedReadyReplicas": if ready { updated } else { 0 }, "observedGeneration": generation,
            })
        }
        ("standard.oam.dev/v1alpha1", "Rollout") => rollout(manifest, ready),
        ("argoproj.io/v1alpha1", "Rollout") => json!({
            "phase": if ready { "Healthy" } else { "Progressing" }, "observedGeneration": generation.to_string(),
        }),
        ("rollouts.kruise.io/v1alpha1" | "rollouts.kruise.io/v1beta1", "Rollout") => json!({
            "phase": if ready { "Healthy" } else { "Progressing" }, "observedGeneration": generation,
        }),
        ("batch/v1", "Job") => json!({ "succeeded": u8::from(ready), "conditions": condition("Complete", ready) }),
        ("v1", "Pod") => {
            json!({ "phase": if ready { "Running" } else { "Pending" }, "conditions": condition("Ready", ready) })
        }
        _ => return object,
    };
    object["status"] = status;
    // `numberReady` is the one count that Kubernetes writes even if it is 0.
    object::members_mut(&mut object["status"]).retain(|name, value| *value != json!(0) || name == "numberReady");
    object
}

/// Returns the number of replicas that a workload does not update.
fn partition(manifest: &Value, pointer: &str, replicas: u64) -> u64 {
    manifest.pointer(pointer).and_then(Value::as_u64).unwrap_or_default().min(replicas)
}

/// Returns the status of a Rollout of `standard.oam.dev`: done, or in its first batch.
fn rollout(manifest: &Value, ready: bool) -> Value {
    let plan = manifest.pointer("/spec/rolloutPlan");
    let size = plan.and_then(|plan| plan.get("targetSize")?.as_i64()).unwrap_or_default();
    let batches = plan.and_then(|plan| plan.get("rolloutBatches")?.as_array()).map_or(1, Vec::len);
    let up = if ready { size } else { 0 };
    json!({
        "lastTargetRevision": manifest.pointer("/spec/targetRevisionName"),
        "rolloutTargetSize": size,
        "rollingState": if ready { "rolloutSucceed" } else { "rollingInBatches" },
        "currentBatch": if ready { batches.saturating_sub(1) } else { 0 },
        "upgradedReplicas": up,
        "upgradedReadyReplicas": up,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_below_a_partition_are_not_updated() {
        let set = json!({ "replicas": 3, "updateStrategy": { "rollingUpdate": { "partition": 2 }, "partition": 5 } });
        let status = |version: &str, kind: &str, spec: &Value| {
            let manifest = json!({ "apiVersion": version, "kind": kind, "metadata": { "name": "web" }, "spec": spec });
            let status = on_cluster(&manifest, Health::Ready, 3)["status"].clone();
            json!([status["replicas"], status["updatedReplicas"], status["readyReplicas"], status["currentRevision"]])
        };
        assert_eq!(status("apps/v1", "StatefulSet", &set), json!([3, 1, 3, "earlier"]));
        assert_eq!(status("apps.kruise.io/v1alpha1", "CloneSet", &set), json!([3, null, 3, null]));
        let whole = json!({ "replicas": 3 });
        assert_eq!(status("apps/v1", "StatefulSet", &whole), json!([3, 3, 3, "newest"]));
        assert_eq!(status("apps.kruise.io/v1alpha1", "CloneSet", &whole), json!([3, 3, 3, null]));
    }

    #[test]
    fn rollouts_have_the_status_that_their_controllers_would_write() {
        let plan = json!({ "targetSize": 2, "rolloutBatches": [{ "replicas": 1 }, { "replicas": 1 }] });
        let of_oam = json!({
            "apiVersion": "standard.oam.dev/v1alpha1", "kind": "Rollout", "metadata": { "name": "web" },
            "spec": { "targetRevisionName": "web-v2", "rolloutPlan": plan },
        });
        let status = |manifest: &Value, health| on_cluster(manifest, health, 3)["status"].clone();
        let about =
            |state: &str| json!({ "lastTargetRevision": "web-v2", "rolloutTargetSize": 2, "rollingState": state });
        assert_eq!(status(&of_oam, Health::NotReady), about("rollingInBatches"));
        let mut done = about("rolloutSucceed");
        for (name, number) in [("currentBatch", 1), ("upgradedReplicas", 2), ("upgradedReadyReplicas", 2)] {
            done[name] = json!(number);
        }
        assert_eq!(status(&of_oam, Health::Ready), done);
        let of = |version: &str| json!({ "apiVersion": version, "kind": "Rollout", "metadata": { "name": "web" } });
        let healthy = |observed: Value| json!({ "phase": "Healthy", "observedGeneration": observed });
        assert_eq!(status(&of("argoproj.io/v1alpha1"), Health::Ready), healthy(json!("3")));
        assert_eq!(status(&of("rollouts.kruise.io/v1beta1"), Health::Ready), healthy(json!(3)));
    }
}
