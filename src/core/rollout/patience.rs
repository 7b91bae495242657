//! How long a cluster may take and must soak, and what follows for one cluster at one moment.

use crate::rollout::Status;
use tidegate_model::time::{SignedDuration, Timestamp};

/// Deadline and soak time, seen from one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    pub(super) now: Timestamp,
    /// How long a cluster may be under way; `None` is for ever.
    pub(super) deadline: Option<SignedDuration>,
    /// How long a cluster must have succeeded. An endless one counts as none, as upstream has it.
    pub(super) soak: Option<SignedDuration>,
}

/// Where a cluster stands by its status and the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// To be started.
    Waiting,
    /// Progressing, failed, or in its soak time, which ends at `recheck`.
    Underway { recheck: Option<Timestamp> },
    /// Its deadline has passed.
    TimedOut { deadline: Timestamp },
    /// Nothing more is expected of it.
    Closed,
}

impl Patience {
    /// Returns `true` if a cluster that took this long, in whole seconds, was late by this deadline.
    pub(super) fn is_late(&self, took: SignedDuration) -> bool {
        // The second that was begun counts whole: the span was cut off where a deadline may have fractions.
        self.deadline.is_some_and(|deadline| took.saturating_add(SignedDuration::from_secs(1)) > deadline)
    }

    /// Classifies a cluster that is in its status since `since`.
    ///
    /// Without that, the clock starts at this moment, and so anew with every decision.
    pub(super) fn classify(&self, status: Status, since: Option<Timestamp>) -> Class {
        let end = |span: SignedDuration| since.unwrap_or(self.now).checked_add(span).unwrap_or(Timestamp::MAX);
        match status {
            Status::ToApply => Class::Waiting,
            Status::TimeOut | Status::Skip => Class::Closed,
            Status::Succeeded => match self.soak.map(end) {
                Some(end) if self.now < end => Class::Underway { recheck: Some(end) },
                _ => Class::Closed,
            },
            Status::Progressing | Status::Failed => match self.deadline.map(end) {
                Some(deadline) if self.now >= deadline => Class::TimedOut { deadline },
                recheck => Class::Underway { recheck },
            },
        }
    }
}
