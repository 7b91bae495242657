//! Notices when the hub was not observed for a while: the daemon was not running, was frozen, or could not reach the hub.

use std::time::Duration;

use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_model::unseen::Gap;

/// A tick that is later than this was prevented by something.
const LATE: SignedDuration = SignedDuration::from_secs(5);
/// A tick that takes longer than this counts as time in which the hub was not observed.
const LONGEST_TICK: SignedDuration = SignedDuration::from_secs(30);

/// When the hub was looked at last, and when it should be looked at next.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    last: Option<Timestamp>,
    /// `None` if the hub should be looked at now.
    due: Option<Timestamp>,
}

impl Gaps {
    /// Continues after a process that is known to have looked at the hub at this time.
    pub(super) fn since(last: Option<Timestamp>) -> Self {
        Self { last, due: None }
    }

    /// Records that the hub cannot be used.
    pub(super) fn lost(&mut self) {
        self.due = None;
    }

    /// Records the end of a tick, after which the next one follows within this time.
    pub(super) fn expect(&mut self, now: Timestamp, after: Duration) {
        let is_short = self.last.is_some_and(|last| last.duration_until(now) <= LONGEST_TICK);
        let after = SignedDuration::try_from(after).unwrap_or(SignedDuration::MAX);
        self.due = is_short.then(|| now.checked_add(after).unwrap_or(Timestamp::MAX));
    }

    /// Returns the time in which the hub was not observed, if it ends now.
    pub(super) fn at(&self, now: Timestamp) -> Option<Gap> {
        let is_on_time = self.due.is_some_and(|due| now <= due.checked_add(LATE).unwrap_or(Timestamp::MAX));
        self.last.filter(|last| !is_on_time && *last < now).map(|from| Gap { from, to: now })
    }

    /// Records a step of the clock, from the time that it should show to `now`.
    pub(super) fn stepped(&mut self, expected: Timestamp, now: Timestamp) {
        let shifted = |at: Timestamp| at.checked_add(expected.duration_until(now)).unwrap_or(at);
        (self.last, self.due) = (self.last.map(shifted), self.due.map(shifted));
    }

    /// Records a look at the hub.
    pub(super) fn looked(&mut self, now: Timestamp) {
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap_or_default()
    }

    /// Returns gaps after a tick that began at 100 s and ended at this second, with the next one 10 s later.
    fn after_tick(end: i64) -> Gaps {
        let mut gaps = Gaps::default();
        gaps.looked(at(100));
        gaps.expect(at(end), Duration::from_secs(10));
        gaps
    }

    #[test]
    fn a_late_tick_ends_a_gap() {
        let gaps = after_tick(101);
        assert_eq!(gaps.at(at(116)), None);
        assert_eq!(gaps.at(at(117)), Some(Gap { from: at(100), to: at(117) }));
    }

    #[test]
    fn a_long_tick_is_a_gap() {
        assert_eq!(after_tick(130).at(at(131)), None);
        assert_eq!(after_tick(131).at(at(132)), Some(Gap { from: at(100), to: at(132) }));
    }

    #[test]
    fn the_first_tick_after_an_absence_ends_a_gap() {
        let mut gaps = after_tick(101);
        gaps.lost();
        assert_eq!(gaps.at(at(102)), Some(Gap { from: at(100), to: at(102) }));
        assert_eq!(Gaps::since(Some(at(7))).at(at(9)), Some(Gap { from: at(7), to: at(9) }));
        assert_eq!(Gaps::since(None).at(at(9)), None);
    }

    #[test]
    fn a_step_of_the_clock_is_no_gap() {
        for step in [10_000, -50] {
            let mut gaps = after_tick(101);
            gaps.stepped(at(110), at(110 + step));
            assert_eq!(gaps.at(at(111 + step)), None);
            assert_eq!(gaps.at(at(200 + step)), Some(Gap { from: at(100 + step), to: at(200 + step) }));
        }
    }

    #[test]
    fn a_clock_that_goes_back_is_no_gap() {
        assert_eq!(after_tick(101).at(at(50)), None);
        assert_eq!(Gaps::since(Some(at(7))).at(at(5)), None);
    }
}
