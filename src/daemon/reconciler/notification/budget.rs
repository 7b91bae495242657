//! How many notifications a receiver gets.

use std::time::Duration;

use tokio::time::Instant;

/// Number of notifications that are sent at once.
const BURST: u32 = 10;
/// After this time, one more is sent.
const REFILL: Duration = Duration::from_secs(10);

/// The notifications that a receiver may still get.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    left: u32,
    since: Instant,
}

impl Budget {
    /// Returns a full budget.
    pub fn new(now: Instant) -> Self {
        Self { left: BURST, since: now }
    }

    /// Takes one notification out of the budget, or returns how long to wait for it.
    pub fn take(&mut self, now: Instant) -> Option<Duration> {
        while self.left < BURST && now.duration_since(self.since) >= REFILL {
            self.left += 1;
            self.since += REFILL;
        }
        if self.left == BURST {
            self.since = now;
        }
        if self.left == 0 {
            return Some(REFILL.saturating_sub(now.duration_since(self.since)));
        }
        self.left -= 1;
        None
    }
}
