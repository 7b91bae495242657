//! How a change is rolled out: groups, overlaps of placements, and waves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_repository::Overlap as OverlapKind;
use tidegate_rollout::GroupKey;

/// A group of a placement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupPlan {
    /// The placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The index of the group.
    pub index: i32,
    /// The name of the group, or `group N`.
    pub group: String,
    /// The number of its clusters.
    pub clusters: usize,
    /// The number of its clusters that get other configurations.
    pub changed: usize,
}

impl GroupPlan {
    /// Returns the group as rules name it. A group without a name is shown by its index.
    pub fn key(&self) -> GroupKey {
        let is_named = self.group != unnamed(self.index);
        GroupKey { index: self.index, name: if is_named { self.group.clone() } else { String::new() } }
    }
}

/// Returns how a group without a name is shown. Names of groups contain no spaces.
pub(crate) fn unnamed(index: i32) -> String {
    format!("group {index}")
}

/// Clusters that two placements select.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overlap {
    /// The placement that selects them, and does not get them.
    pub placement: String,
    /// The placement that they belong to; if they belong to neither, the other one that selects them.
    pub winner: String,
    /// The number of clusters.
    pub clusters: usize,
    /// Which of the two they belong to. Absent for an add-on: there it is the last.
    #[serde(default, skip_serializing_if = "is_last")]
    pub kind: OverlapKind,
}

impl Overlap {
    /// Returns what becomes of the clusters, as the words before and after the name of the other placement.
    pub(crate) fn words(&self) -> (&'static str, &'static str) {
        match self.kind {
            OverlapKind::Last => ("belong to", ", which is later in the list"),
            OverlapKind::First => ("belong to", ", which is earlier in the list"),
            OverlapKind::Neither => ("are also selected by", ": they keep what they have and wait"),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_last(kind: &OverlapKind) -> bool {
    *kind == OverlapKind::Last
}

impl Wave {
    /// Returns how a wave is called among all waves of its unit: by its step if it has one, and by its group if there is more than one.
    pub(crate) fn label(&self, all: &[Self]) -> String {
        label((&self.placement, &self.step, &self.group), all.iter().map(|other| other.placement.as_str()))
    }

    /// Returns the waves that it waits for: those before it of its placement, or else those of earlier steps.
    pub(crate) fn waits_for<'w>(&self, all: &'w [Self]) -> Vec<&'w Self> {
        let before = || all.iter().filter(|other| other.stage < self.stage);
        let own = before().filter(|other| other.placement == self.placement).map(|other| other.stage).max();
        let stage = own.or_else(|| before().map(|other| other.stage).max());
        let is_own = |other: &&Self| own.is_none() || other.placement == self.placement;
        before().filter(|other| Some(other.stage) == stage).filter(is_own).collect()
    }
}

/// Returns how a wave is called: by its step if it has one, by its placement if there are several, and by its group if its placement has more
/// than one wave. `all` has the placements of all waves.
pub(crate) fn label<'a>((placement, step, group): (&str, &str, &str), all: impl Iterator<Item = &'a str>) -> String {
    let (own, others): (Vec<&str>, Vec<&str>) = all.partition(|other| *other == placement);
    match (own.len(), others.is_empty()) {
        (..=1, _) if !step.is_empty() => step.to_owned(),
        (_, true) => group.to_owned(),
        (_, false) => format!("{}: {group}", if step.is_empty() { placement } else { step }),
    }
}

/// The clusters of one group that start. Times are from the merge, if no cluster fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wave {
    /// The placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The name of the step; absent if there are no steps, as for an add-on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub step: String,
    /// The group.
    pub group: String,
    /// Waves of the same stage run at the same time, and a stage begins only after the ones before, from 0.
    pub stage: usize,
    /// The number of clusters that start.
    pub clusters: usize,
    /// The largest number of clusters that are under way at the same time.
    pub at_once: usize,
    /// The number of clusters that start first, at the same time.
    pub first: usize,
    /// When its first clusters start at the earliest, from the merge.
    pub starts: String,
    /// When its last clusters are done at the earliest, without their soak time.
    pub done: String,
    /// When its first clusters start if clusters take as long as in earlier rollouts; absent if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_start: Option<String>,
    /// When its last clusters are done if clusters take as long as in earlier rollouts; absent if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_done: Option<String>,
}
