//! Decision groups as the engine walks through them: merged by key and in order of their indexes.

use std::collections::BTreeMap;
use std::fmt;

use crate::api::ocm::rollout_strategy::MandatoryDecisionGroup;
use crate::model::decision::DecisionGroup;
use crate::model::name::ClusterName;

/// What tells one decision group of a placement from another. Ordered by index.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKey {
    /// Position among the groups of the placement, from 0.
    pub index: i32,
    /// Name of the group; empty if it has none.
    pub name: String,
}

impl fmt::Display for GroupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() {
            write!(f, "group {}", self.index)
        } else {
            write!(f, "group {} ({:?})", self.index, self.name)
        }
    }
}

/// One decision group; its clusters are sorted by name, each once.
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) key: GroupKey,
    pub(super) clusters: Vec<&'a ClusterName>,
}

impl Group<'_> {
    /// Returns whether one of the entries names this group.
    pub(super) fn is_mandatory(&self, mandatory: &[MandatoryDecisionGroup]) -> bool {
        mandatory.iter().any(|asked| self.is(asked))
    }

    /// Returns whether the entry names this group: by name if the entry has one, else by index.
    pub(super) fn is(&self, asked: &MandatoryDecisionGroup) -> bool {
        if asked.group_name.is_empty() {
            self.key.index == asked.group_index
        } else {
            self.key.name == asked.group_name
        }
    }
}

/// Returns the groups in order, those with the same key joined.
pub(super) fn ordered(groups: &[DecisionGroup]) -> Vec<Group<'_>> {
    let mut by_key: BTreeMap<(i32, &str), Vec<&ClusterName>> = BTreeMap::new();
    for group in groups {
        by_key.entry((group.index, &group.name)).or_default().extend(&group.clusters);
    }
    let group = |((index, name), mut clusters): ((i32, &str), Vec<_>)| {
        clusters.sort_unstable();
        clusters.dedup();
        Group { key: GroupKey { index, name: name.to_owned() }, clusters }
    };
    by_key.into_iter().map(group).collect()
}
