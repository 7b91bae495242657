//! Pages: the PlacementDecision objects that hold the decision groups.

use std::collections::BTreeMap;

use tidegate_api::key::{GROUP_INDEX, GROUP_NAME, PLACEMENT};
use tidegate_api::ocm::placement::DecisionGroupStatus;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};

/// Maximum number of clusters in one PlacementDecision. The schema sets no limit, but readers expect this one.
const MAX_CLUSTERS: usize = 100;

/// A PlacementDecision that should exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionPage {
    /// Its namespace, which is that of the Placement.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// All of its labels: placement, group name, group index.
    pub labels: BTreeMap<String, String>,
    /// The clusters, sorted by name; at most 100.
    pub clusters: Vec<ClusterName>,
}

/// Splits decision groups into pages, numbered from 1 across the whole placement.
///
/// # Shape
/// An empty group has one empty page. The statuses describe the groups, in order.
pub fn pages(placement: &NamespacedName, groups: &[DecisionGroup]) -> (Vec<DecisionPage>, Vec<DecisionGroupStatus>) {
    let mut pages: Vec<DecisionPage> = Vec::new();
    let mut statuses = Vec::new();
    for group in groups {
        let labels = BTreeMap::from([
            (PLACEMENT.to_owned(), placement.name.clone()),
            (GROUP_NAME.to_owned(), group.name.clone()),
            (GROUP_INDEX.to_owned(), group.index.to_string()),
        ]);
        let first = pages.len();
        let mut page = |clusters: &[ClusterName]| {
            pages.push(DecisionPage {
                namespace: placement.namespace.clone(),
                name: format!("{}-decision-{}", placement.name, pages.len() + 1),
                labels: labels.clone(),
                clusters: clusters.to_vec(),
            });
        };
        if group.clusters.is_empty() {
            page(&[]);
        }
        group.clusters.chunks(MAX_CLUSTERS).for_each(&mut page);
        statuses.push(DecisionGroupStatus {
            decision_group_index: group.index,
            decision_group_name: group.name.clone(),
            decisions: pages.iter().skip(first).map(|page| page.name.clone()).collect(),
            clusters_count: i32::try_from(group.clusters.len()).unwrap_or(i32::MAX),
        });
    }
    (pages, statuses)
}
