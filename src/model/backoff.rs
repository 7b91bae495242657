//! Growing delays between the retries of something that fails.

use std::time::Duration;

/// The delays between retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The delay after the first failure; it doubles with each.
    pub first: Duration,
    /// The longest delay.
    pub longest: Duration,
}

impl Backoff {
    /// Returns the back-off for a remote that is polled this often. Delays grow up to three times the period, and a minute
    /// at most, so that a recovered remote is noticed soon.
    pub fn of_poll(poll: Duration) -> Self {
        let Self { first, longest } = Self::default();
        Self { first, longest: poll.saturating_mul(3).clamp(first, longest) }
    }

    /// Returns the delay after this number of consecutive failures.
    pub fn after(self, failures: u32) -> Duration {
        self.first.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(self.longest)
    }
}

impl Default for Backoff {
    /// Returns delays that start at a second and grow to a minute.
    fn default() -> Self {
        Self { first: Duration::from_secs(1), longest: Duration::from_secs(60) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_delay_depends_on_the_poll_period() {
        let longest = |seconds| Backoff::of_poll(Duration::from_secs(seconds)).after(20).as_secs();
        assert_eq!([longest(0), longest(1), longest(10), longest(600)], [1, 3, 30, 60]);
    }

    #[test]
    fn the_delay_doubles_with_each_failure_up_to_the_longest() {
        let backoff = Backoff { first: Duration::from_secs(1), longest: Duration::from_secs(5) };
        assert_eq!([0, 1, 2, 3, 4, 40].map(|failures| backoff.after(failures).as_secs()), [1, 1, 2, 4, 5, 5]);
    }
}
