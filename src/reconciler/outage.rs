//! Outages of a remote: logged at first and then once a minute, retried after growing pauses.

use std::time::Duration;

use tokio::time::Instant;

use crate::hub::jitter;

/// The pauses between retries of something that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff {
    /// The pause after the first failure; it doubles with each.
    pub first: Duration,
    /// The longest pause.
    pub most: Duration,
}

impl BackOff {
    /// Returns the back-off for a remote that is polled this often. Pauses grow up to three times the period, and a minute
    /// at most, so that a recovered remote is noticed soon.
    pub fn of_poll(poll: Duration) -> Self {
        let Self { first, most } = Self::default();
        Self { first, most: poll.saturating_mul(3).clamp(first, most) }
    }

    /// Returns the pause after this number of consecutive failures.
    pub fn after(self, failures: u32) -> Duration {
        self.first.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(self.most)
    }
}

impl Default for BackOff {
    /// Returns pauses that start at a second and grow to a minute.
    fn default() -> Self {
        Self { first: Duration::from_secs(1), most: Duration::from_secs(60) }
    }
}

/// The kind of an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It does not answer, or its answer makes no sense.
    Away,
    /// It answers and refuses the request.
    Refused,
}

/// How often an outage of the same kind is logged.
const REMIND: Duration = Duration::from_secs(60);

/// The duration of an outage, and the number of attempts since it started.
#[derive(Debug)]
pub struct Outage {
    back_off: BackOff,
    since: Option<Instant>,
    told: Option<(Instant, Trouble)>,
    tries: u32,
}

impl Outage {
    /// Creates the state without an outage.
    pub fn none(back_off: BackOff) -> Self {
        Self { back_off, since: None, told: None, tries: 0 }
    }

    /// Returns the pause before the next attempt, with jitter so that many daemons do not return at once; `None` if there
    /// is no outage.
    pub fn pause(&self) -> Option<Duration> {
        self.since?;
        let pause = self.back_off.after(self.tries);
        Some(pause / 2 + jitter(pause / 2))
    }

    /// Records a failed attempt. Logs it once a minute, and whenever the kind of the outage changes. Returns `true` if it
    /// was logged.
    pub fn tell(&mut self, what: &str, trouble: Trouble, error: &str) -> bool {
        let now = Instant::now();
        let since = *self.since.get_or_insert(now);
        self.tries += 1;
        let is_told = self.told.is_some_and(|(at, told)| told == trouble && now.duration_since(at) < REMIND);
        if !is_told {
            self.told = Some((now, trouble));
            let seconds = now.duration_since(since).as_secs();
            match trouble {
                Trouble::Away => {
                    tracing::warn!(what, error, away_seconds = seconds, "unreachable; retrying until it answers");
                }
                Trouble::Refused => {
                    tracing::warn!(
                        what,
                        error,
                        refused_seconds = seconds,
                        "request refused; retrying until it is accepted"
                    );
                }
            }
        }
        !is_told
    }

    /// Records a success, which ends the outage.
    pub fn over(&mut self, what: &str) {
        if let Some(since) = self.since.take() {
            let seconds = since.elapsed().as_secs();
            match self.told {
                Some((_, Trouble::Refused)) => {
                    tracing::info!(what, refused_seconds = seconds, "request accepted again")
                }
                _ => tracing::info!(what, away_seconds = seconds, "reachable again"),
            }
        }
        *self = Self::none(self.back_off);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pause_depends_on_the_poll_period() {
        let most = |seconds| BackOff::of_poll(Duration::from_secs(seconds)).after(20).as_secs();
        assert_eq!([most(0), most(1), most(10), most(600)], [1, 3, 30, 60]);
    }

    #[test]
    fn an_outage_is_logged_once_until_its_kind_changes() {
        let mut outage = Outage::none(BackOff::default());
        let mut told = |trouble| outage.tell("journal", trouble, "no");
        assert!(told(Trouble::Away));
        assert!(!told(Trouble::Away));
        assert!(told(Trouble::Refused));
        assert!(!told(Trouble::Refused));
    }
}
