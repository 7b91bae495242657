//! Reading decision groups back from PlacementDecisions that this or another scheduler wrote.

use std::collections::{BTreeMap, BTreeSet};

use super::error::Error;
use tidegate_api::key::{GROUP_INDEX, GROUP_NAME, PLACEMENT};
use tidegate_api::ocm::placement::PlacementDecision;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};

/// Reads the decision groups of a placement from the decisions of a hub. An object without status selects no clusters.
///
/// # Shape
/// Sorted by index, then name. Pages of one group are merged; its clusters are sorted, without repetitions. A cluster can be
/// in two groups while another scheduler rewrites its pages.
///
/// # Errors
/// [`Error::GroupIndex`] or [`Error::ClusterName`] with the invalid object. It must not be skipped, since its clusters would
/// then appear to be removed.
///
/// # Source
/// `open-cluster-management.io/sdk-go` pkg/apis/cluster/v1beta1, `PlacementDecisionClustersTracker`.
pub fn read_decisions<'a>(
    decisions: impl Iterator<Item = &'a PlacementDecision>,
    placement: &NamespacedName,
) -> Result<Vec<DecisionGroup>, Error> {
    let mut groups: BTreeMap<(i32, &str), BTreeSet<ClusterName>> = BTreeMap::new();
    for decision in decisions.filter(|decision| placement_of(decision).as_ref() == Some(placement)) {
        let text = label(decision, GROUP_INDEX);
        let index =
            text.parse().map_err(|source| Error::GroupIndex { object: id(decision), text: text.to_owned(), source })?;
        let clusters = groups.entry((index, label(decision, GROUP_NAME))).or_default();
        for name in decided_names(decision) {
            clusters.insert(name.parse().map_err(|source| Error::ClusterName { object: id(decision), source })?);
        }
    }
    let group = |((index, name), clusters): ((i32, &str), BTreeSet<_>)| DecisionGroup {
        index,
        name: name.to_owned(),
        clusters: clusters.into_iter().collect(),
    };
    Ok(groups.into_iter().map(group).collect())
}

/// Returns the placement that a decision belongs to, by its label.
pub fn placement_of(decision: &PlacementDecision) -> Option<NamespacedName> {
    let name = label(decision, PLACEMENT);
    (!name.is_empty()).then(|| NamespacedName::new(decision.metadata.namespace.clone().unwrap_or_default(), name))
}

/// Returns the names of the clusters that a decision holds, in its order.
pub(in crate::placement) fn decided_names(decision: &PlacementDecision) -> impl Iterator<Item = &str> {
    decision.status.iter().flat_map(|status| &status.decisions).map(|entry| entry.cluster_name.as_str())
}

pub(in crate::placement) fn label<'a>(decision: &'a PlacementDecision, key: &str) -> &'a str {
    decision.metadata.labels.as_ref().and_then(|labels| labels.get(key)).map_or("", String::as_str)
}

fn id(decision: &PlacementDecision) -> NamespacedName {
    let metadata = &decision.metadata;
    NamespacedName::new(metadata.namespace.clone().unwrap_or_default(), metadata.name.clone().unwrap_or_default())
}
