//! Times in which the hub was not observed: the daemon was not running, was frozen, or could not reach the hub.
//!
//! A cluster may have done everything that it had to do in such a time, and its report may be read only afterwards. So
//! these times do not count against it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::time::{Rfc3339, SignedDuration, Timestamp, to_seconds};

/// After a gap, agents that could not reach the hub either have this much time to report, before deadlines count again.
const GRACE: SignedDuration = SignedDuration::from_secs(30);
/// Number of gaps that are kept. Beyond it, the two oldest ones become one.
const MOST: usize = 32;

/// A time in which the hub was not observed.
///
/// # Units
/// Whole seconds, outward: the precision of timestamps in Kubernetes conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// The last observation before it.
    #[schemars(with = "Rfc3339")]
    pub from: Timestamp,
    /// The first observation after it.
    #[schemars(with = "Rfc3339")]
    pub to: Timestamp,
}

/// All gaps since the oldest start that still matters, oldest first. They do not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Unseen(Vec<Gap>);

impl Unseen {
    /// Adds a gap. A gap that touches another one is merged with it.
    pub fn add(&mut self, gap: Gap) {
        let to = to_seconds(gap.to);
        let to = if to < gap.to { to + SignedDuration::from_secs(1) } else { to };
        let mut added = Gap { from: to_seconds(gap.from), to };
        if added.from >= added.to {
            return;
        }
        self.0.retain(|other| {
            let is_apart = other.to < added.from || added.to < other.from;
            if !is_apart {
                added = Gap { from: added.from.min(other.from), to: added.to.max(other.to) };
            }
            is_apart
        });
        let at = self.0.partition_point(|other| other.from < added.from);
        self.0.insert(at, added);
        while let [first, second, ..] = self.0[..]
            && self.0.len() > MOST
        {
            self.0.splice(0..2, [Gap { from: first.from, to: second.to }]);
        }
    }

    /// Records a step of the clock, from the time that it should show to `now`. Moves the gaps to the new clock: all of them if it was set ahead,
    /// and those that are in the future if it was set back.
    pub fn stepped(&mut self, expected: Timestamp, now: Timestamp) {
        let by = expected.duration_until(now);
        let moved = |at: Timestamp| at.checked_add(by).unwrap_or(at);
        if now > expected {
            let gaps = std::mem::take(&mut self.0);
            gaps.into_iter().for_each(|gap| self.add(Gap { from: moved(gap.from), to: moved(gap.to) }));
            return;
        }
        let (future, past): (Vec<Gap>, Vec<Gap>) =
            std::mem::take(&mut self.0).into_iter().partition(|gap| gap.from > now);
        self.0 = past;
        self.take_back(now, -by);
        future.into_iter().for_each(|gap| self.add(Gap { from: moved(gap.from), to: moved(gap.to) }));
    }

    /// Shortens the gaps that end after `now`, of a clock that was set back to `now` by this time.
    pub(crate) fn take_back(&mut self, now: Timestamp, by: SignedDuration) {
        for gap in self.0.iter_mut().filter(|gap| gap.to > now) {
            gap.to = gap.to.checked_sub(by).unwrap_or(gap.from);
        }
        // What is left of a gap may be a rounded second.
        self.0.retain(|gap| gap.from.duration_until(gap.to) > SignedDuration::from_secs(1));
    }

    /// Returns `true` if there was no gap.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `since`, later by the gaps between `since` and `now`, each with the time that agents have to report after
    /// it; never later than `now`. A deadline that counts from this moment does not count the time in which the hub was not observed.
    pub fn counted(&self, since: Timestamp, now: Timestamp) -> Timestamp {
        self.shifted(since, now, GRACE)
    }

    /// Returns `since`, later by the gaps between `since` and `now`, each longer by `grace`; never later than `now`.
    pub(crate) fn shifted(&self, since: Timestamp, now: Timestamp, grace: SignedDuration) -> Timestamp {
        let mut unseen = SignedDuration::ZERO;
        let mut counted_to = since;
        for gap in &self.0 {
            let (from, to) = (gap.from.max(counted_to), (gap.to + grace).min(now));
            if from < to {
                unseen += from.duration_until(to);
                counted_to = to;
            }
        }
        since.checked_add(unseen).unwrap_or(now).min(since.max(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap_or_default()
    }

    fn unseen(gaps: &[(i64, i64)]) -> Unseen {
        let mut unseen = Unseen::default();
        gaps.iter().for_each(|(from, to)| unseen.add(Gap { from: at(*from), to: at(*to) }));
        unseen
    }

    #[test]
    fn gaps_that_touch_are_one() {
        let gaps = |gaps: &[(i64, i64)]| unseen(gaps).0.iter().map(|g| (g.from, g.to)).collect::<Vec<_>>();
        assert_eq!(gaps(&[(5, 7), (1, 2), (2, 3)]), [(at(1), at(3)), (at(5), at(7))]);
        assert_eq!(gaps(&[(1, 2), (4, 5), (0, 9)]), [(at(0), at(9))]);
        assert_eq!(gaps(&[(3, 3), (4, 2)]), []);
    }

    #[test]
    fn gaps_are_whole_seconds() {
        let mut unseen = Unseen::default();
        let millis = |millis| Timestamp::from_millisecond(millis).unwrap_or_default();
        unseen.add(Gap { from: millis(1_900), to: millis(3_100) });
        assert_eq!(unseen.0, [Gap { from: at(1), to: at(4) }]);
    }

    #[test]
    fn the_number_of_gaps_is_bounded() {
        let many: Vec<(i64, i64)> = (0..100).map(|n| (n * 10, n * 10 + 1)).collect();
        let unseen = unseen(&many);
        assert_eq!(unseen.0.len(), MOST);
        assert_eq!(unseen.0.first().map(|gap| gap.from), Some(at(0)));
        assert_eq!(unseen.0.last().map(|gap| gap.to), Some(at(991)));
    }

    #[test]
    fn a_start_is_moved_by_the_gaps_after_it() {
        let gaps = unseen(&[(100, 160), (1_000, 1_010)]);
        // 60 seconds, and 30 for the agents.
        assert_eq!(gaps.counted(at(50), at(500)), at(140));
        // Only the part after the start counts.
        assert_eq!(gaps.counted(at(150), at(500)), at(190));
        assert_eq!(gaps.counted(at(50), at(2_000)), at(180));
        // The time for the agents is not over.
        assert_eq!(gaps.counted(at(90), at(165)), at(155));
        assert_eq!(gaps.counted(at(160), at(165)), at(165));
        assert_eq!(gaps.counted(at(300), at(500)), at(300));
        assert_eq!(Unseen::default().counted(at(1), at(5)), at(1));
    }

    #[test]
    fn a_step_of_the_clock_moves_the_gaps_before_it() {
        let mut gaps = unseen(&[(100, 110)]);
        gaps.stepped(at(120), at(1_120));
        assert_eq!(gaps, unseen(&[(1_100, 1_110)]));
        gaps.stepped(at(1_130), at(130));
        assert_eq!(gaps, unseen(&[(100, 110)]));
        // Only its end is in the future.
        gaps.stepped(at(112), at(104));
        assert_eq!(gaps, unseen(&[(100, 102)]));
    }

    #[test]
    fn the_time_for_agents_counts_once_where_gaps_follow_each_other() {
        let gaps = unseen(&[(100, 110), (120, 130)]);
        assert_eq!(gaps.counted(at(100), at(500)), at(160));
    }
}
