//! Something that is away: told at first and once a minute, tried again after a growing pause.

use std::time::Duration;

use tokio::time::Instant;

use crate::hub::jitter;

/// How long something that fails is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff {
    /// The pause after the first failure; it doubles with each.
    pub first: Duration,
    /// The longest pause.
    pub most: Duration,
}

impl Default for BackOff {
    /// Returns a second at first, and a minute at most.
    fn default() -> Self {
        Self { first: Duration::from_secs(1), most: Duration::from_secs(60) }
    }
}

/// Being away is told this often.
const REMIND: Duration = Duration::from_secs(60);

/// How long something has been away, and how often it was tried.
#[derive(Debug)]
pub struct Outage {
    back_off: BackOff,
    since: Option<Instant>,
    told: Option<Instant>,
    tries: u32,
}

impl Outage {
    /// Nothing is away yet.
    pub fn none(back_off: BackOff) -> Self {
        Self { back_off, since: None, told: None, tries: 0 }
    }

    /// Returns how long to wait for the next try, spread so that many daemons do not come back at once; `None` if nothing is away.
    pub fn pause(&self) -> Option<Duration> {
        self.since?;
        let BackOff { first, most } = self.back_off;
        let pause = first.saturating_mul(1 << self.tries.saturating_sub(1).min(16)).min(most);
        Some(pause / 2 + jitter(pause / 2))
    }

    /// Notes that it is away, and tells so from time to time.
    pub fn tell(&mut self, what: &str, error: &str) {
        let now = Instant::now();
        let since = *self.since.get_or_insert(now);
        self.tries += 1;
        if self.told.is_none_or(|told| now.duration_since(told) >= REMIND) {
            self.told = Some(now);
            let seconds = now.duration_since(since).as_secs();
            tracing::warn!(what, error, away_seconds = seconds, "away; trying again until it is back");
        }
    }

    /// Notes that it is there.
    pub fn over(&mut self, what: &str) {
        if let Some(since) = self.since.take() {
            tracing::info!(what, away_seconds = since.elapsed().as_secs(), "back");
        }
        *self = Self::none(self.back_off);
    }
}
