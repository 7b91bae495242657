//! The facts about a cluster that definitions can read.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::definition::Sample;
use crate::read::object::Object;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;

/// Most clusters that are checked as examples.
const MOST_SAMPLES: usize = 100;
/// The version of samples, which only the hub knows.
const SOME_VERSION: &str = "v1.30.0";

/// Returns the facts about a cluster: `context.cluster`.
///
/// # Shape
/// `version` is absent until the cluster has reported it.
pub(super) fn facts(cluster: &ManagedCluster) -> Value {
    let metadata = &cluster.metadata;
    let status = cluster.status.as_ref();
    let claims = status.map(|status| status.cluster_claims.as_slice()).unwrap_or_default();
    let claims: BTreeMap<&str, &str> = claims.iter().map(|claim| (&*claim.name, &*claim.value)).collect();
    let mut facts = json!({
        "name": metadata.name.as_deref().unwrap_or_default(),
        "labels": metadata.labels.clone().unwrap_or_default(),
        "claims": claims,
    });
    if let Some(version) = status.and_then(|status| status.version.as_ref()?.kubernetes.as_deref()) {
        facts["version"] = json!(version);
    }
    facts
}

/// Returns the declared ManagedClusters as examples, or else a place-holder.
pub(crate) fn samples(objects: &[Object]) -> Vec<Sample> {
    let is_cluster = |object: &&Object| object.key.group == key::CLUSTER_GROUP && object.key.kind == "ManagedCluster";
    let sample = |object: &Object| {
        let labels = object.value.pointer("/metadata/labels").filter(|labels| labels.is_object());
        let facts = json!({
            "name": object.key.name,
            "labels": labels.cloned().unwrap_or_else(|| json!({})),
            "claims": {},
            "version": SOME_VERSION,
        });
        Sample { what: format!("cluster {} with its declared labels", object.key.name), facts }
    };
    let mut samples: Vec<Sample> = objects.iter().filter(is_cluster).take(MOST_SAMPLES).map(sample).collect();
    if samples.is_empty() {
        samples.push(Sample {
            what: "a cluster without labels and claims, since no ManagedCluster is declared".to_owned(),
            facts: json!({ "name": "cluster", "labels": {}, "claims": {}, "version": SOME_VERSION }),
        });
    }
    samples
}
