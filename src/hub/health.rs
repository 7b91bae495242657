//! Whether the hub answers, and saying so without flooding the log.

use std::collections::BTreeSet;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::error::Error;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::GroupKind;
use tidegate_model::time::Timestamp;

/// How often an absence is told again.
const REMINDER: Duration = Duration::from_secs(60);

/// Whether the hub answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// All watches run.
    Connected,
    /// Some watch cannot be had. What is known is from before.
    Away {
        /// Since when.
        since: Timestamp,
        /// What the last attempt came to.
        last_error: String,
    },
}

/// Gathers what the watches meet.
#[derive(Debug, Default)]
pub(super) struct Pulse(Mutex<Absence>);

#[derive(Debug, Default)]
struct Absence {
    /// The kinds that cannot be watched.
    kinds: BTreeSet<GroupKind>,
    since: Timestamp,
    last_error: String,
    told: Option<Instant>,
}

impl Pulse {
    pub(super) fn health(&self) -> Health {
        let absence = self.0.lock();
        if absence.kinds.is_empty() {
            return Health::Connected;
        }
        Health::Away { since: absence.since, last_error: absence.last_error.clone() }
    }

    /// Notes that a kind cannot be watched.
    pub(super) fn lost(&self, kind: &GroupKind, error: &Error) {
        let mut absence = self.0.lock();
        if absence.kinds.is_empty() {
            absence.since = Timestamp::now();
        }
        absence.kinds.insert(kind.clone());
        absence.last_error = ErrorChain(error).to_string();
        if absence.told.is_none_or(|told| told.elapsed() >= REMINDER) {
            absence.told = Some(Instant::now());
            tracing::warn!(since = %absence.since, error = %absence.last_error, "the hub is away");
        }
    }

    /// Notes that a kind is watched again.
    pub(super) fn back(&self, kind: &GroupKind) {
        let mut absence = self.0.lock();
        if absence.kinds.remove(kind) && absence.kinds.is_empty() {
            absence.told = None;
            tracing::info!(since = %absence.since, "the hub is back");
        }
    }
}
