//! When to retry: exponential back-off with full jitter.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

/// A growing delay.
#[derive(Debug, Clone)]
pub(super) struct Backoff {
    first: Duration,
    cap: Duration,
    attempt: u32,
}

impl Backoff {
    /// Returns the back-off of a watch: quick after a hiccup, up to half a minute while the hub is unreachable.
    pub(super) fn of_watch() -> Self {
        Self { first: Duration::from_millis(500), cap: Duration::from_secs(30), attempt: 0 }
    }

    /// Returns the back-off of a write. The four pauses between five attempts add up to 3 s on average and 6 s at most: if
    /// a hub is busy for longer, it is better to observe it again than to insist.
    pub(super) fn of_write() -> Self {
        Self { first: Duration::from_millis(400), cap: Duration::from_secs(5), attempt: 0 }
    }

    /// Returns the next delay: a random time whose upper limit doubles with each attempt, so that many clients spread out.
    pub(super) fn next(&mut self) -> Duration {
        let ceiling = self.first.saturating_mul(1 << self.attempt.min(16)).min(self.cap);
        self.attempt += 1;
        jitter(ceiling)
    }

    /// Starts over after a success.
    pub(super) fn reset(&mut self) {
        self.attempt = 0;
    }
}

/// Returns a random time up to a limit.
pub fn jitter(limit: Duration) -> Duration {
    // The standard library seeds each hasher at random; spreading out needs no better source.
    let random = RandomState::new().build_hasher().finish();
    limit.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64)
}
