//! A simulated fleet: ManagedClusters as a hub holds them after their agents have joined.

use serde_json::{Value, json};

use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_set::ManagedClusterSet;
use tidegate_model::time::{Timestamp, to_seconds};

/// The shape of a simulated fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetSpec {
    /// Number of clusters. Half of them are on `aws`, the others on `gcp`; with an odd number, `aws` gets one more.
    pub clusters: usize,
    /// Number of canaries: the first clusters of each cloud, split in half; with an odd number, `aws` gets one more.
    pub canaries: usize,
    /// When the clusters joined.
    pub since: Timestamp,
}

impl Default for FleetSpec {
    fn default() -> Self {
        Self { clusters: 300, canaries: 10, since: Timestamp::UNIX_EPOCH }
    }
}

/// Returns the ManagedClusterSets that OCM creates on every hub: `default` and `global`.
pub fn cluster_sets() -> Vec<Value> {
    ManagedClusterSet::of_every_hub().iter().map(|set| json!(set)).collect()
}

/// The clouds, their Kubernetes products, and the regions that their clusters cycle through.
const CLOUDS: [(&str, &str, [&str; 3]); 2] = [
    ("aws", "EKS", ["us-east-1", "eu-west-1", "ap-southeast-2"]),
    ("gcp", "GKE", ["us-central1", "europe-west1", "asia-east1"]),
];

/// Returns the ManagedClusters of a fleet.
///
/// # Shape
/// `aws-001`, `gcp-001`, `aws-002` and so on; numbers are padded to the width of the largest, and to three digits at least.
pub fn clusters(spec: &FleetSpec) -> Vec<Value> {
    let per_cloud = spec.clusters.div_ceil(CLOUDS.len());
    let width = per_cloud.to_string().len().max(3);
    let mut clusters = Vec::with_capacity(spec.clusters);
    for number in 1..=per_cloud {
        for (place, (cloud, product, regions)) in CLOUDS.iter().enumerate() {
            if clusters.len() == spec.clusters {
                break;
            }
            let canaries = if place == 0 { spec.canaries.div_ceil(CLOUDS.len()) } else { spec.canaries / CLOUDS.len() };
            let region = regions.iter().cycle().nth(number - 1).copied().unwrap_or_default();
            let facts = Facts { name: format!("{cloud}-{number:0width$}"), cloud, product, region };
            clusters.push(facts.cluster(number <= canaries, spec.since));
        }
    }
    clusters
}

struct Facts<'a> {
    name: String,
    cloud: &'a str,
    product: &'a str,
    region: &'a str,
}

impl Facts<'_> {
    fn cluster(&self, is_canary: bool, since: Timestamp) -> Value {
        let mut labels = json!({
            "fleet": "demo", "cloud": self.cloud, "region": self.region, (key::CLUSTER_SET): "default",
        });
        if is_canary {
            labels["tier"] = json!("canary");
        }
        let condition = |type_: &str, reason: &str, message: &str| {
            json!({
                "type": type_, "status": "True", "reason": reason, "message": message,
                "lastTransitionTime": to_seconds(since).to_string(),
            })
        };
        let claim = |name: &str, value: &str| json!({ "name": name, "value": value });
        json!({
            "apiVersion": format!("{}/v1", key::CLUSTER_GROUP),
            "kind": "ManagedCluster",
            "metadata": { "name": self.name, "labels": labels },
            "spec": { "hubAcceptsClient": true, "leaseDurationSeconds": 60 },
            "status": {
                "conditions": [
                    condition("HubAcceptedManagedCluster", "HubClusterAdminAccepted", "Accepted by hub cluster admin"),
                    condition("ManagedClusterJoined", "ManagedClusterJoined", "Managed cluster joined"),
                    condition(key::CLUSTER_AVAILABLE, "ManagedClusterAvailable", "Managed cluster is available"),
                ],
                "version": { "kubernetes": "v1.33.1" },
                "capacity": { "cpu": "16", "memory": "64Gi" },
                "allocatable": { "cpu": "15", "memory": "60Gi" },
                "clusterClaims": [
                    claim("id.k8s.io", &self.name),
                    claim("platform.open-cluster-management.io", self.cloud),
                    claim("product.open-cluster-management.io", self.product),
                    claim("region.open-cluster-management.io", self.region),
                ],
            },
        })
    }
}
