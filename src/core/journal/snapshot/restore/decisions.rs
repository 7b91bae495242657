//! PlacementDecisions, from the groups of the clusters.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::marks::{metadata, namespaced};
use crate::snapshot::record::{Group, HubPlacement, Snapshot};
use tidegate_api::ocm::placement::{ClusterDecision, PlacementDecision, PlacementDecisionStatus};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_rollout::placement::{DecisionPage, pages};

/// Returns the decision groups of every recorded Placement.
pub(super) fn groups(snapshot: &Snapshot) -> BTreeMap<&str, Vec<DecisionGroup>> {
    let mut clusters: BTreeMap<(&str, i32), Vec<ClusterName>> = BTreeMap::new();
    for (name, cluster) in &snapshot.clusters {
        for (placement, index) in &cluster.groups {
            clusters.entry((placement, *index)).or_default().push(name.clone());
        }
    }
    let mut groups: BTreeMap<&str, Vec<DecisionGroup>> = BTreeMap::new();
    for (placement, HubPlacement { groups: listed, .. }) in &snapshot.placements {
        let of = |group: &Group| {
            let clusters = clusters.remove(&(placement.as_str(), group.index)).unwrap_or_default();
            DecisionGroup { index: group.index, name: group.name.clone(), clusters }
        };
        groups.insert(placement, listed.iter().map(of).collect());
    }
    for ((placement, index), clusters) in clusters {
        groups.entry(placement).or_default().push(DecisionGroup { index, name: String::new(), clusters });
    }
    groups
}

/// Returns the decisions with these groups.
pub(super) fn decisions(snapshot: &Snapshot) -> BTreeMap<NamespacedName, Arc<PlacementDecision>> {
    let groups = groups(snapshot);
    let pages = groups.iter().flat_map(|(name, groups)| pages(&namespaced(name), groups).0);
    pages.map(|page| (NamespacedName::new(&page.namespace, &page.name), Arc::new(decision(page)))).collect()
}

fn decision(page: DecisionPage) -> PlacementDecision {
    let mut metadata = metadata(&page.namespace, &page.name, None);
    metadata.labels = Some(page.labels);
    let decided = |name: ClusterName| ClusterDecision { cluster_name: name.to_string(), ..ClusterDecision::default() };
    let decisions = page.clusters.into_iter().map(decided).collect();
    PlacementDecision { metadata, status: Some(PlacementDecisionStatus { decisions }), ..PlacementDecision::default() }
}
