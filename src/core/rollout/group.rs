//! Decision groups in the form that the engine uses.

use serde::{Deserialize, Serialize};
use std::fmt;

use tidegate_api::ocm::rollout_strategy::{MandatoryDecisionGroup, RolloutStrategy};

/// Identifies a decision group of a placement. Ordered by index.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupKey {
    /// Position among the groups of the placement, from 0.
    pub index: i32,
    /// Name of the group; empty if it has none.
    pub name: String,
}

impl GroupKey {
    /// Returns `true` if an entry of a strategy names this group: by name if the entry has one, else by index.
    pub fn is(&self, asked: &MandatoryDecisionGroup) -> bool {
        if asked.group_name.is_empty() { self.index == asked.group_index } else { self.name == asked.group_name }
    }
}

/// Returns the groups that a strategy starts first.
pub fn mandatory(strategy: &RolloutStrategy) -> &[MandatoryDecisionGroup] {
    let type_ = strategy.type_.as_str();
    let progressive = strategy.progressive.as_ref().filter(|_| type_ == "Progressive");
    let per_group = strategy.progressive_per_group.as_ref().filter(|_| type_ == "ProgressivePerGroup");
    let of_progressive = progressive.map(|progressive| progressive.mandatory_decision_groups.as_slice());
    let of_group = per_group.map(|per_group| per_group.mandatory_decision_groups.as_slice());
    of_progressive.or(of_group).unwrap_or_default()
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

/// One decision group.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) key: GroupKey,
    /// The numbers of its clusters, ascending, each once.
    pub(super) members: Vec<usize>,
}

impl Group {
    /// Returns `true` if one of the entries names this group.
    pub(super) fn is_mandatory(&self, mandatory: &[MandatoryDecisionGroup]) -> bool {
        mandatory.iter().any(|asked| self.is(asked))
    }

    /// Returns `true` if the entry names this group: by name if the entry has one, else by index.
    pub(super) fn is(&self, asked: &MandatoryDecisionGroup) -> bool {
        self.key.is(asked)
    }
}
