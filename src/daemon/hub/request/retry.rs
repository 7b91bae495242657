//! When to retry: exponential back-off with full jitter.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

use tidegate_model::backoff::Backoff;

/// The retries of one operation.
#[derive(Debug, Clone)]
pub(in crate::hub) struct Retries {
    backoff: Backoff,
    failures: u32,
}

impl Retries {
    /// Returns the retries of a watch: quick after a hiccup, up to half a minute while the hub is unreachable.
    pub(in crate::hub) fn of_watch() -> Self {
        Self::new(Backoff { first: Duration::from_millis(500), longest: Duration::from_secs(30) })
    }

    /// Returns the retries of a write. The four pauses between five attempts add up to 3 s on average and 6 s at most: if
    /// a hub is busy for longer, it is better to observe it again than to insist.
    pub(in crate::hub) fn of_write() -> Self {
        Self::new(Backoff { first: Duration::from_millis(400), longest: Duration::from_secs(5) })
    }

    fn new(backoff: Backoff) -> Self {
        Self { backoff, failures: 0 }
    }

    /// Records a failure, and returns when to retry: after a random time whose upper limit doubles with each failure, so
    /// that many clients spread out.
    pub(in crate::hub) fn wake_after(&mut self) -> Duration {
        self.failures = self.failures.saturating_add(1);
        jitter(self.backoff.after(self.failures))
    }

    /// Starts over after a success.
    pub(in crate::hub) fn reset(&mut self) {
        self.failures = 0;
    }
}

/// Returns a random time up to a limit.
pub fn jitter(limit: Duration) -> Duration {
    // The standard library seeds each hasher at random; spreading out needs no better source.
    let random = RandomState::new().build_hasher().finish();
    limit.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64)
}
