//! The groups as upstream's placement decision tracker hands them out.

use std::collections::{BTreeSet, HashSet};

use crate::api::ocm::rollout_strategy::MandatoryDecisionGroup;
use crate::model::decision::DecisionGroup;
use crate::model::name::ClusterName;
use crate::rollout::group::{Group, ordered};

/// Returns the clusters that upstream finds in the groups of a placement. Behind a gap in the indexes, the last groups are
/// lost, and so are all but the first of the groups with one index.
pub fn tracked(groups: &[DecisionGroup]) -> BTreeSet<&ClusterName> {
    Tracker::new(groups).groups_except(&[]).into_iter().flat_map(|group| group.clusters.iter().copied()).collect()
}

/// All groups of a placement.
pub(super) struct Tracker<'a> {
    groups: Vec<Group<'a>>,
}

impl<'a> Tracker<'a> {
    pub(super) fn new(groups: &'a [DecisionGroup]) -> Self {
        Self { groups: ordered(groups) }
    }

    /// Returns all groups, in order of index.
    pub(super) fn all(&self) -> &[Group<'a>] {
        &self.groups
    }

    /// Returns the groups that the entries name, in order of index. An entry that names none is ignored.
    pub(super) fn groups(&self, named: &[MandatoryDecisionGroup]) -> Vec<&Group<'a>> {
        self.groups.iter().filter(|group| group.is_mandatory(named)).collect()
    }

    /// Returns the groups that the entries do not name, in order of index.
    ///
    /// Upstream counts its way through the indexes up to the number of groups, one group for each: behind a gap, the
    /// last groups are missing, and of two groups with one index only one is there.
    pub(super) fn groups_except(&self, named: &[MandatoryDecisionGroup]) -> Vec<&Group<'a>> {
        let indexes: HashSet<i32> = self.groups.iter().map(|group| group.key.index).collect();
        let reached = |index: i32| usize::try_from(index).is_ok_and(|index| index < indexes.len());
        let mut found: Vec<_> = self.groups.iter().filter(|group| reached(group.key.index)).collect();
        found.dedup_by_key(|group| group.key.index);
        found.retain(|group| !group.is_mandatory(named));
        found
    }
}

/// Returns how many different clusters the groups hold.
pub(super) fn size(groups: &[&Group<'_>]) -> usize {
    groups.iter().flat_map(|group| &group.clusters).collect::<HashSet<_>>().len()
}
