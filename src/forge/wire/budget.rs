//! How many requests may be sent in an hour.

use std::collections::VecDeque;

use tidegate_model::time::{SignedDuration, Timestamp};

const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// The requests of the last hour, and how many there may be.
#[derive(Debug)]
pub(crate) struct Budget {
    most: usize,
    /// When requests were sent, oldest first: at most `most` of them.
    sent: VecDeque<Timestamp>,
}

impl Budget {
    pub(crate) fn new(most: u32) -> Self {
        Self { most: usize::try_from(most).unwrap_or(usize::MAX), sent: VecDeque::new() }
    }

    /// Removes what was sent more than an hour ago. A clock that was set back must not block requests for long, so what was
    /// sent in the future is removed, too.
    fn forget(&mut self, now: Timestamp) {
        self.sent.retain(|at| *at <= now && now.duration_since(*at) < HOUR);
    }

    /// Returns how many requests may still be sent.
    pub(crate) fn remaining(&mut self, now: Timestamp) -> usize {
        self.forget(now);
        self.most.saturating_sub(self.sent.len())
    }

    /// Returns `Ok` if a request may be sent, and otherwise when. Only reserved ones may use the last quarter.
    pub(crate) fn check(&mut self, now: Timestamp, is_reserved: bool) -> Result<(), Timestamp> {
        self.forget(now);
        let allowed = if is_reserved { self.most } else { self.most - self.most / 4 };
        if self.sent.len() < allowed {
            return Ok(());
        }
        // The request is allowed once so many have been forgotten that fewer than `allowed` remain.
        let last = self.sent.get(self.sent.len().saturating_sub(allowed));
        Err(last.map_or(now, |at| *at).checked_add(HOUR).unwrap_or(Timestamp::MAX))
    }

    /// Counts a request.
    pub(crate) fn spend(&mut self, now: Timestamp) {
        self.sent.push_back(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn a_quarter_is_kept_for_approvals() {
        let mut budget = Budget::new(8);
        for second in 0..6 {
            assert_eq!(budget.check(at(second), false), Ok(()));
            budget.spend(at(second));
        }
        assert_eq!(budget.check(at(6), false), Err(at(3600)));
        for second in 6..8 {
            assert_eq!(budget.check(at(second), true), Ok(()));
            budget.spend(at(second));
        }
        assert_eq!(budget.check(at(8), true), Err(at(3600)));
        assert_eq!(budget.check(at(8), false), Err(at(3602)));
        assert_eq!(budget.check(at(3600), true), Ok(()));
        assert_eq!(budget.check(at(3602), false), Ok(()));
        assert_eq!(budget.remaining(at(3602)), 3);
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_block_requests() {
        let mut budget = Budget::new(1);
        budget.spend(at(1_000_000));
        assert_eq!(budget.check(at(0), false), Ok(()));
    }

    #[test]
    fn an_empty_budget_allows_nothing() {
        assert_eq!(Budget::new(0).check(at(0), true), Err(at(3600)));
    }
}
