//! When the groups of a rollout are expected to be done, from earlier rollouts of the same add-on.

use schemars::JsonSchema;
use serde::Serialize;

use tidegate_journal::history::{History, Story};
use tidegate_journal::record::{Cause, Outcome};
use tidegate_model::time::{Rfc3339, SignedDuration, Timestamp};

/// The number of earlier rollouts that count.
const ROLLOUTS: usize = 10;

/// The times between which something is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Band {
    /// Half of the earlier rollouts were this fast.
    #[schemars(with = "Rfc3339")]
    pub p50: Timestamp,
    /// Nine of ten earlier rollouts were this fast.
    #[schemars(with = "Rfc3339")]
    pub p90: Timestamp,
}

/// How long the groups of an add-on took in its earlier rollouts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Durations {
    /// The group and the seconds, newest rollout first.
    groups: Vec<(Option<i32>, i64)>,
    /// The number of rollouts.
    pub rollouts: usize,
}

impl Durations {
    /// Returns the durations in the last completed rollouts of configurations before one.
    pub(crate) fn before(history: &History, story: &Story) -> Self {
        let is_earlier = |other: &&Story| {
            other.addon == story.addon
                && other.rollout.number < story.rollout.number
                && other.rollout.outcome == Outcome::Completed
                && other.rollout.cause == Cause::Configuration
        };
        let earlier: Vec<&Story> = history.rollouts.iter().rev().filter(is_earlier).take(ROLLOUTS).collect();
        let groups = earlier.iter().flat_map(|story| &story.groups);
        let groups = groups.filter_map(|group| Some((group.group, group.seconds?))).collect();
        Self { groups, rollouts: earlier.len() }
    }

    /// Returns when a group is expected to be done that starts in a band; `None` if there is no earlier rollout.
    pub(crate) fn done(&self, group: Option<i32>, start: Band) -> Option<Band> {
        let of_group = self.groups.iter().filter(|(known, _)| *known == group);
        let mut seconds: Vec<i64> = of_group.map(|(_, seconds)| *seconds).collect();
        if seconds.is_empty() {
            seconds = self.groups.iter().map(|(_, seconds)| *seconds).collect();
        }
        seconds.sort_unstable();
        let after = |start: Timestamp, percent: usize| {
            let rank = (seconds.len() * percent).div_ceil(100);
            let seconds = *seconds.get(rank.saturating_sub(1))?;
            start.checked_add(SignedDuration::from_secs(seconds)).ok()
        };
        Some(Band { p50: after(start.p50, 50)?, p90: after(start.p90, 90)? })
    }
}
