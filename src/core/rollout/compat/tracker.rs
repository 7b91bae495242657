//! The groups as upstream's placement decision tracker returns them.

use std::collections::{BTreeSet, HashSet};

use crate::cluster_index::ClusterIndex;
use crate::group::Group;
use tidegate_api::ocm::rollout_strategy::MandatoryDecisionGroup;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;

/// Returns the clusters that upstream finds in the groups of a placement. If there is a gap in the indexes, the last groups are
/// lost, and so are all but the first of several groups with the same index.
pub fn tracked(groups: &[DecisionGroup]) -> BTreeSet<&ClusterName> {
    let index = ClusterIndex::new(groups, &[]);
    let reached = Tracker(&index.groups).groups_except(&[]);
    let numbers = reached.iter().flat_map(|group| &group.members);
    numbers.filter_map(|number| index.clusters.get(*number).copied()).collect()
}

/// All groups of a placement, in order of index.
#[derive(Clone, Copy)]
pub(super) struct Tracker<'a>(pub(super) &'a [Group]);

impl<'a> Tracker<'a> {
    /// Returns the groups that the entries name, in order of index. An entry that names no group is ignored.
    pub(super) fn groups(&self, named: &[MandatoryDecisionGroup]) -> Vec<&'a Group> {
        self.0.iter().filter(|group| group.is_mandatory(named)).collect()
    }

    /// Returns the groups that the entries do not name, in order of index.
    ///
    /// Upstream counts through the indexes up to the number of groups, with one group for each: if there is a gap, the
    /// last groups are missing, and of two groups with the same index only one is found.
    pub(super) fn groups_except(&self, named: &[MandatoryDecisionGroup]) -> Vec<&'a Group> {
        let indexes: HashSet<i32> = self.0.iter().map(|group| group.key.index).collect();
        let reached = |index: i32| usize::try_from(index).is_ok_and(|index| index < indexes.len());
        let mut found: Vec<_> = self.0.iter().filter(|group| reached(group.key.index)).collect();
        found.dedup_by_key(|group| group.key.index);
        found.retain(|group| !group.is_mandatory(named));
        found
    }
}
