//! Tracks whether the hub answers, and logs that without flooding the log.

use std::collections::BTreeSet;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::error::Error;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::GroupKind;

/// How often an ongoing outage is logged again.
const REMINDER: Duration = Duration::from_secs(60);

/// Whether the hub answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// All watches run.
    Connected,
    /// A kind cannot be watched, so the known state is out of date.
    Away {
        /// Since when.
        since: Instant,
        /// The error of the last attempt.
        last_error: String,
    },
}

/// Collects the failures of the watches.
#[derive(Debug, Default)]
pub(super) struct Pulse(Mutex<Absence>);

#[derive(Debug, Default)]
struct Absence {
    /// The kinds that cannot be watched.
    kinds: BTreeSet<GroupKind>,
    since: Option<Instant>,
    last_error: String,
    logged: Option<Instant>,
}

impl Pulse {
    pub(super) fn health(&self) -> Health {
        let absence = self.0.lock();
        match absence.since {
            None => Health::Connected,
            Some(since) => Health::Away { since, last_error: absence.last_error.clone() },
        }
    }

    /// Records that a kind cannot be watched.
    pub(super) fn lost(&self, kind: &GroupKind, error: &Error) {
        let mut absence = self.0.lock();
        let since = *absence.since.get_or_insert_with(Instant::now);
        absence.kinds.insert(kind.clone());
        absence.last_error = ErrorChain(error).to_string();
        if absence.logged.is_none_or(|logged| logged.elapsed() >= REMINDER) {
            absence.logged = Some(Instant::now());
            let away_seconds = since.elapsed().as_secs();
            tracing::warn!(away_seconds, error = %absence.last_error, "failed to watch the hub; retrying");
        }
    }

    /// Records that a kind is watched again.
    pub(super) fn back(&self, kind: &GroupKind) {
        let mut absence = self.0.lock();
        if absence.kinds.remove(kind) && absence.kinds.is_empty() {
            absence.logged = None;
            let away_seconds = absence.since.take().map(|since| since.elapsed().as_secs());
            tracing::info!(away_seconds, "watching the hub again");
        }
    }
}
