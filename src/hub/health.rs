//! Tracks whether the hub answers, and logs that without flooding the log.

use std::collections::BTreeSet;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::error::Error;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::GroupKind;
use tidegate_model::time::Timestamp;

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
        since: Timestamp,
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
    since: Timestamp,
    last_error: String,
    logged: Option<Instant>,
}

impl Pulse {
    pub(super) fn health(&self) -> Health {
        let absence = self.0.lock();
        if absence.kinds.is_empty() {
            return Health::Connected;
        }
        Health::Away { since: absence.since, last_error: absence.last_error.clone() }
    }

    /// Records that a kind cannot be watched.
    pub(super) fn lost(&self, kind: &GroupKind, error: &Error) {
        let mut absence = self.0.lock();
        if absence.kinds.is_empty() {
            absence.since = Timestamp::now();
        }
        absence.kinds.insert(kind.clone());
        absence.last_error = ErrorChain(error).to_string();
        if absence.logged.is_none_or(|logged| logged.elapsed() >= REMINDER) {
            absence.logged = Some(Instant::now());
            tracing::warn!(since = %absence.since, error = %absence.last_error, "failed to watch the hub; retrying");
        }
    }

    /// Records that a kind is watched again.
    pub(super) fn back(&self, kind: &GroupKind) {
        let mut absence = self.0.lock();
        if absence.kinds.remove(kind) && absence.kinds.is_empty() {
            absence.logged = None;
            tracing::info!(since = %absence.since, "watching the hub again");
        }
    }
}
