//! Something that is away or refuses: told at first and once a minute, tried again after a growing pause.

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

impl BackOff {
    /// Returns the back-off for a remote that is looked at this often: pauses grow up to three times the period, and a minute at most, so
    /// that a remote that is back is noticed soon.
    pub fn of_poll(poll: Duration) -> Self {
        let Self { first, most } = Self::default();
        Self { first, most: poll.saturating_mul(3).clamp(first, most) }
    }

    /// Returns the pause after so many failures in a row.
    pub fn after(self, failures: u32) -> Duration {
        self.first.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(self.most)
    }
}

impl Default for BackOff {
    /// Returns a second at first, and a minute at most.
    fn default() -> Self {
        Self { first: Duration::from_secs(1), most: Duration::from_secs(60) }
    }
}

/// What kind of trouble it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It does not answer, or not in a way that makes sense.
    Away,
    /// It answers, and says no.
    Refused,
}

/// The same trouble is told this often.
const REMIND: Duration = Duration::from_secs(60);

/// How long something has been away, and how often it was tried.
#[derive(Debug)]
pub struct Outage {
    back_off: BackOff,
    since: Option<Instant>,
    told: Option<(Instant, Trouble)>,
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
        let pause = self.back_off.after(self.tries);
        Some(pause / 2 + jitter(pause / 2))
    }

    /// Notes that it is away or refuses, and tells so from time to time, and whenever one becomes the other. Returns whether it was told.
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
                    tracing::warn!(what, error, away_seconds = seconds, "away; trying again until it is back");
                }
                Trouble::Refused => {
                    tracing::warn!(
                        what,
                        error,
                        refused_seconds = seconds,
                        "refused; trying again until it is accepted"
                    );
                }
            }
        }
        !is_told
    }

    /// Notes that it is there.
    pub fn over(&mut self, what: &str) {
        if let Some(since) = self.since.take() {
            let seconds = since.elapsed().as_secs();
            match self.told {
                Some((_, Trouble::Refused)) => tracing::info!(what, refused_seconds = seconds, "accepted again"),
                _ => tracing::info!(what, away_seconds = seconds, "back"),
            }
        }
        *self = Self::none(self.back_off);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_that_is_looked_at_often_is_not_left_alone_for_long() {
        let most = |seconds| BackOff::of_poll(Duration::from_secs(seconds)).after(20).as_secs();
        assert_eq!([most(0), most(1), most(10), most(600)], [1, 3, 30, 60]);
    }

    #[test]
    fn one_kind_of_trouble_is_told_once_and_another_one_at_once() {
        let mut outage = Outage::none(BackOff::default());
        let mut told = |trouble| outage.tell("journal", trouble, "no");
        assert!(told(Trouble::Away));
        assert!(!told(Trouble::Away));
        assert!(told(Trouble::Refused));
        assert!(!told(Trouble::Refused));
    }
}
