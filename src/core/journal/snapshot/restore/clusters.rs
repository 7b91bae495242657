//! ManagedClusters and their scores.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;

use super::installed::condition;
use super::marks::metadata;
use crate::snapshot::record::{Cluster, Scores};
use tidegate_api::condition::Time;
use tidegate_api::key;
use tidegate_api::ocm::addon_placement_score::{AddOnPlacementScore, AddOnPlacementScoreStatus, ClusterScore};
use tidegate_api::ocm::managed_cluster::{
    ClusterClaim, ClusterVersion, ManagedCluster, ManagedClusterSpec, ManagedClusterStatus,
};
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// Returns the ManagedCluster of a recorded cluster.
pub(super) fn managed(name: &ClusterName, cluster: &Cluster) -> ManagedCluster {
    let mut metadata = metadata("", name.as_str(), cluster.deleting);
    metadata.labels = Some(cluster.labels.clone()).filter(|labels| !labels.is_empty());
    metadata.annotations = Some(cluster.annotations.clone()).filter(|annotations| !annotations.is_empty());
    let claims = cluster.claims.iter();
    let status = ManagedClusterStatus {
        conditions: cluster
            .availability
            .status()
            .map(|status| condition(key::CLUSTER_AVAILABLE, status, "Recorded", Timestamp::UNIX_EPOCH))
            .into_iter()
            .collect(),
        capacity: quantities(&cluster.capacity),
        allocatable: quantities(&cluster.allocatable),
        version: (!cluster.kubernetes.is_empty())
            .then(|| ClusterVersion { kubernetes: Some(cluster.kubernetes.clone()) }),
        cluster_claims: claims.map(|(name, value)| ClusterClaim { name: name.clone(), value: value.clone() }).collect(),
        ..ManagedClusterStatus::default()
    };
    let spec = ManagedClusterSpec {
        hub_accepts_client: cluster.accepted,
        taints: cluster.taints.clone(),
        ..ManagedClusterSpec::default()
    };
    ManagedCluster { metadata, spec, status: Some(status) }
}

fn quantities(amounts: &BTreeMap<String, String>) -> BTreeMap<String, Quantity> {
    amounts.iter().map(|(name, amount)| (name.clone(), Quantity(amount.clone()))).collect()
}

/// Returns the AddOnPlacementScores of a recorded cluster.
pub(super) fn scores(name: &ClusterName, cluster: &Cluster) -> BTreeMap<String, Arc<AddOnPlacementScore>> {
    let object = |(score, Scores { values, expired }): (&String, &Scores)| {
        let value = |(name, value): (&String, &i32)| ClusterScore { name: name.clone(), value: *value };
        let status = AddOnPlacementScoreStatus {
            scores: values.iter().map(value).collect(),
            valid_until: expired.then_some(Time(Timestamp::UNIX_EPOCH)),
            ..AddOnPlacementScoreStatus::default()
        };
        let metadata = metadata(name.as_str(), score, None);
        let object = AddOnPlacementScore { metadata, status: Some(status), ..AddOnPlacementScore::default() };
        (score.clone(), Arc::new(object))
    };
    cluster.scores.iter().map(object).collect()
}
