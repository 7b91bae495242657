//! The clusters that the PlacementDecisions of a hub select, by group.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::placement::Placement;
use tidegate_api::ocm::rollout_strategy::MandatoryDecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};

/// Identifies a group; sorts in rollout order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GroupId {
    index: i32,
    name: String,
}

/// The group of clusters that are chosen by hand.
pub(super) static BY_HAND: GroupId = GroupId { index: 0, name: String::new() };

impl GroupId {
    /// Returns how policies and approvals write the group: its name, or its index if it has none.
    pub(super) fn written(&self) -> String {
        if self.name.is_empty() { self.index.to_string() } else { self.name.clone() }
    }

    /// Returns `true` if an entry of a strategy refers to this group.
    pub(super) fn is_meant_by(&self, entry: &MandatoryDecisionGroup) -> bool {
        if entry.group_name.is_empty() { self.index == entry.group_index } else { self.name == entry.group_name }
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "group {}", self.index)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " ({:?})", self.name) }
    }
}

/// The groups of one Placement, in order.
pub(super) type Groups = BTreeMap<GroupId, BTreeSet<ClusterName>>;

/// Returns the groups of the given Placements; `None` if they are unknown, because the decisions of the Placement cannot be read
/// or its status shows that they are still being written.
pub(super) fn decided<'a>(
    fleet: &Fleet,
    placements: impl Iterator<Item = &'a NamespacedName>,
) -> BTreeMap<&'a NamespacedName, Option<Groups>> {
    let mut all: BTreeMap<_, _> = placements.map(|placement| (placement, Some(Groups::new()))).collect();
    for (at, decision) in &fleet.decisions {
        let label = |name: &str| decision.metadata.labels.as_ref().and_then(|labels| labels.get(name));
        let Some(placement) = label(key::PLACEMENT) else { continue };
        let Some(groups) = all.get_mut(&NamespacedName::new(&at.namespace, placement)) else { continue };
        let clusters = decision.status.iter().flat_map(|status| &status.decisions);
        let clusters: Option<BTreeSet<ClusterName>> = clusters.map(|one| one.cluster_name.parse().ok()).collect();
        let index = label(key::GROUP_INDEX).and_then(|index| index.parse().ok());
        *groups = match (groups.take(), index, clusters) {
            (Some(mut groups), Some(index), Some(clusters)) => {
                let name = label(key::GROUP_NAME).cloned().unwrap_or_default();
                groups.entry(GroupId { index, name }).or_default().extend(clusters);
                Some(groups)
            }
            _ => None,
        };
    }
    for (name, groups) in &mut all {
        let placement = fleet.placements.get(*name);
        *groups = groups.take().filter(|groups| placement.is_some_and(|placement| confirms(placement, groups)));
    }
    all
}

/// Returns `true` if the status of a Placement, which is written after its decisions, lists exactly these groups.
fn confirms(placement: &Placement, groups: &Groups) -> bool {
    let reported = placement.status.iter().flat_map(|status| &status.decision_groups);
    let reported: BTreeMap<_, _> = reported
        .map(|group| ((group.decision_group_index, group.decision_group_name.as_str()), group.clusters_count))
        .collect();
    let size = |clusters: &BTreeSet<ClusterName>| i32::try_from(clusters.len()).unwrap_or(i32::MAX);
    let decided = groups.iter().map(|(id, clusters)| ((id.index, id.name.as_str()), size(clusters)));
    !reported.is_empty() && reported == decided.collect::<BTreeMap<_, _>>()
}
