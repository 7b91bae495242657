//! Outages of a remote: logged at first and then once a minute, retried after growing pauses.

use std::time::Duration;

use tokio::time::Instant;

use crate::hub::jitter;
use tidegate_model::backoff::Backoff;

/// The kind of an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It does not answer, or its answer makes no sense.
    Away,
    /// It answers and refuses the request.
    Refused,
}

/// How often an outage of the same kind is logged.
const REMIND: Duration = Duration::from_secs(60);

/// The duration of an outage, and the number of attempts since it started.
#[derive(Debug)]
pub(super) struct Outage {
    backoff: Backoff,
    since: Option<Instant>,
    logged: Option<(Instant, Trouble)>,
    tries: u32,
}

impl Outage {
    /// Creates the state without an outage.
    pub(super) fn none(backoff: Backoff) -> Self {
        Self { backoff, since: None, logged: None, tries: 0 }
    }

    /// Returns when to try again, with jitter so that many daemons do not return at once; `None` if there
    /// is no outage.
    pub(super) fn wake_after(&self) -> Option<Duration> {
        self.since?;
        let delay = self.backoff.after(self.tries);
        Some(delay / 2 + jitter(delay / 2))
    }

    /// Records a failed attempt. Logs it once a minute, and whenever the kind of the outage changes. Returns `true` if it
    /// was logged.
    pub(super) fn record_failure(&mut self, what: &str, trouble: Trouble, error: &str) -> bool {
        let now = Instant::now();
        let since = *self.since.get_or_insert(now);
        self.tries += 1;
        let is_logged = self.logged.is_some_and(|(at, logged)| logged == trouble && now.duration_since(at) < REMIND);
        if !is_logged {
            self.logged = Some((now, trouble));
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
        !is_logged
    }

    /// Records a success, which ends the outage.
    pub(super) fn record_success(&mut self, what: &str) {
        if let Some(since) = self.since.take() {
            let seconds = since.elapsed().as_secs();
            match self.logged {
                Some((_, Trouble::Refused)) => {
                    tracing::info!(what, refused_seconds = seconds, "request accepted again")
                }
                _ => tracing::info!(what, away_seconds = seconds, "reachable again"),
            }
        }
        *self = Self::none(self.backoff);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_logged_once_until_its_kind_changes() {
        let mut outage = Outage::none(Backoff::default());
        let mut logs = |trouble| outage.record_failure("journal", trouble, "no");
        assert!(logs(Trouble::Away));
        assert!(!logs(Trouble::Away));
        assert!(logs(Trouble::Refused));
        assert!(!logs(Trouble::Refused));
    }
}
