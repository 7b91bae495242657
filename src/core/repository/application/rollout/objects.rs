//! What a cluster gets of a component whose batches the controller of `standard.oam.dev` carries out.

use serde_json::{Value, json};

use super::properties::Properties;
use crate::application::parsed::{Component, set};
use crate::application::setting::Setting;
use tidegate_api::key;
use tidegate_go::canonical::go_json;
use tidegate_model::digest::Digest;

/// Returns the name of the revision of a component, given its workload.
pub(in crate::application) fn revision_name(component: &Component, workload: &Value) -> String {
    match &component.external_revision {
        Some(name) => name.clone(),
        None => format!("{}-{}", component.name, Digest::of(go_json(workload).as_bytes()).short()),
    }
}

/// Returns the ControllerRevision from which the controller makes the workload. It stays on a cluster, since the way back needs it.
///
/// # Source
/// KubeVela 1.1, the example `workflow-with-ocm/rollout`.
pub(in crate::application) fn revision(setting: Setting<'_>, component: &Component, workload: &Value) -> Value {
    let Setting { application, namespace, .. } = setting;
    let name = revision_name(component, workload);
    let mut object = json!({
        "apiVersion": "apps/v1",
        "kind": "ControllerRevision",
        "metadata": { "name": name, "namespace": namespace },
        "revision": number(&name),
        "data": {
            "apiVersion": "core.oam.dev/v1alpha2",
            "kind": "Component",
            "metadata": { "name": application.name(), "namespace": application.namespace() },
            "spec": { "workload": workload },
        },
    });
    set(&mut object, &["metadata", "annotations", key::DELETION_ORPHAN], json!(""));
    object
}

/// Returns the number at the end of the name of a revision, such as 2 of `web-v2`; 0 if there is none.
fn number(name: &str) -> i64 {
    let last = name.rsplit('-').next().and_then(|last| last.strip_prefix('v'));
    last.and_then(|number| number.parse::<u32>().ok()).map_or(0, i64::from)
}

/// Returns the Rollout of a component. Batches are as written: their percentages are of what changes, which the controller knows.
///
/// # Source
/// KubeVela 1.1, the definition of the trait `rollout`.
pub(in crate::application) fn rollout(
    setting: Setting<'_>,
    component: &Component,
    (properties, revision): (&Properties, &str),
) -> Value {
    let batches: Vec<Value> = match properties.rollout_batches.as_slice() {
        [] => vec![json!({ "replicas": properties.target_size })],
        batches => batches.iter().map(|batch| json!({ "replicas": as_number(&batch.replicas) })).collect(),
    };
    let mut object = json!({
        "apiVersion": "standard.oam.dev/v1alpha1",
        "kind": "Rollout",
        "metadata": { "name": component.name, "namespace": setting.namespace },
        "spec": {
            "targetRevisionName": properties.target_revision.as_deref().unwrap_or(revision),
            "componentName": component.name,
            "rolloutPlan": {
                "rolloutStrategy": "IncreaseFirst",
                "targetSize": properties.target_size,
                "rolloutBatches": batches,
            },
        },
    });
    if let Some(partition) = properties.batch_partition {
        set(&mut object, &["spec", "rolloutPlan", "batchPartition"], json!(partition));
    }
    object
}

/// Returns an amount as Kubernetes reads it: a string without a percent sign is not a number to it.
fn as_number(amount: &Value) -> Value {
    amount.as_str().and_then(|text| text.parse::<i64>().ok()).map_or_else(|| amount.clone(), |number| json!(number))
}
