//! Something that is away: told at first and once a minute, tried again after a growing pause.

use std::time::Duration;

use tokio::time::Instant;

use crate::hub::jitter;

/// How long a failing remote is left alone, at first and at most.
const BACK_OFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// Being away is told this often.
const REMIND: Duration = Duration::from_secs(60);

/// How long something has been away, and how often it was tried.
#[derive(Debug, Default)]
pub struct Outage {
    since: Option<Instant>,
    told: Option<Instant>,
    tries: u32,
}

impl Outage {
    /// Returns how long to wait for the next try, spread so that many daemons do not come back at once; `None` if nothing is away.
    pub fn pause(&self) -> Option<Duration> {
        self.since?;
        let pause = (BACK_OFF.0 * 2_u32.saturating_pow(self.tries.saturating_sub(1).min(6))).min(BACK_OFF.1);
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
        *self = Self::default();
    }
}
