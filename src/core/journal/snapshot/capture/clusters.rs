//! The clusters, each with its groups, its scores and its add-ons.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::configurations::Table;
use super::hub::Decided;
use super::installed::{availability, installed};
use super::marks::Marks;
use crate::snapshot::record::{Cluster, Scores};
use tidegate_api::condition;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::addon_placement_score::AddOnPlacementScore;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::placement::PlacementSpec;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// Records the clusters of a fleet, including those that only decisions or add-ons name.
pub(super) fn clusters(
    fleet: &Fleet,
    decided: &Decided,
    now: Timestamp,
    (table, marks): (&mut Table, &mut Marks<'_>),
) -> BTreeMap<ClusterName, Cluster> {
    let named = Named::of(fleet);
    let mut clusters: BTreeMap<ClusterName, Cluster> =
        fleet.clusters.iter().map(|(name, observed)| (name.clone(), cluster(observed, &named))).collect();
    let missing = || Cluster { missing: true, ..Cluster::default() };
    for (name, scores) in &fleet.scores {
        let cluster = clusters.entry(name.clone()).or_insert_with(missing);
        cluster.scores = scores.iter().map(|(name, object)| (name.clone(), valued(object, now))).collect();
    }
    for (placement, groups) in decided {
        let placement = placement.to_string();
        for (group, name) in groups.iter().flat_map(|group| group.clusters.iter().map(move |name| (group, name))) {
            let groups = &mut clusters.entry(name.clone()).or_insert_with(missing).groups;
            // A cluster is in two groups only while a scheduler rewrites its decisions. The groups are sorted by index.
            groups.entry(placement.clone()).or_insert(group.index);
        }
    }
    for (addon, on) in &fleet.cluster_addons {
        for (name, object) in on {
            let cluster = clusters.entry(name.clone()).or_insert_with(missing);
            cluster.addons.insert(addon.clone(), installed(object, (table, marks)));
        }
    }
    clusters
}

/// What the Placements of the hub name in their expressions. They can read every field of a cluster.
struct Named(String);

/// The resources by which a Placement can rank clusters.
const RESOURCES: [&str; 2] = ["cpu", "memory"];

impl Named {
    fn of(fleet: &Fleet) -> Self {
        let expressions = |spec: &PlacementSpec| {
            let selectors = spec.predicates.iter().filter_map(|predicate| predicate.required_cluster_selector.as_ref());
            let cel = selectors.filter_map(|selector| selector.cel_selector.as_ref());
            cel.flat_map(|cel| cel.cel_expressions.clone()).collect::<Vec<_>>()
        };
        let expressions: Vec<String> =
            fleet.placements.values().flat_map(|placement| expressions(&placement.spec)).collect();
        Self(expressions.join("\n"))
    }

    fn has_annotation(&self, name: &str) -> bool {
        name.starts_with(key::INHERITED_ANNOTATION_PREFIX) || name == key::IMAGE_REGISTRIES || self.0.contains(name)
    }

    fn has_resource(&self, name: &str) -> bool {
        RESOURCES.contains(&name) || self.0.contains(name)
    }
}

fn cluster(observed: &ManagedCluster, named: &Named) -> Cluster {
    let (metadata, status) = (&observed.metadata, observed.status.clone().unwrap_or_default());
    let annotations = metadata.annotations.iter().flatten().filter(|(name, _)| named.has_annotation(name));
    let mut taints = observed.spec.taints.clone();
    taints.sort_by(|a, b| (&a.key, &a.effect, &a.value).cmp(&(&b.key, &b.effect, &b.value)));
    let amounts = |amounts: BTreeMap<String, k8s_openapi::apimachinery::pkg::api::resource::Quantity>| {
        let used = amounts.into_iter().filter(|(name, _)| named.has_resource(name));
        used.map(|(name, amount)| (name, amount.0)).collect()
    };
    Cluster {
        missing: false,
        labels: metadata.labels.clone().unwrap_or_default(),
        annotations: annotations.map(|(name, value)| (name.clone(), value.clone())).collect(),
        claims: status.cluster_claims.into_iter().map(|claim| (claim.name, claim.value)).collect(),
        taints,
        accepted: observed.spec.hub_accepts_client,
        availability: availability(condition::find(&status.conditions, key::CLUSTER_AVAILABLE)),
        kubernetes: status.version.and_then(|version| version.kubernetes).unwrap_or_default(),
        deleting: metadata.deletion_timestamp.as_ref().map(|at| at.0),
        capacity: amounts(status.capacity),
        allocatable: amounts(status.allocatable),
        ..Cluster::default()
    }
}

fn valued(object: &Arc<AddOnPlacementScore>, now: Timestamp) -> Scores {
    let status = object.status.clone().unwrap_or_default();
    Scores {
        values: status.scores.into_iter().map(|score| (score.name, score.value)).collect(),
        expired: status.valid_until.is_some_and(|until| now > until.0),
    }
}
