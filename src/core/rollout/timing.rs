//! How long a cluster may take and must soak, and what that means for one cluster at one moment.

use crate::Status;
use tidegate_model::time::{SignedDuration, Timestamp};

/// Deadline and soak time, evaluated at one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    pub(super) now: Timestamp,
    /// How long a cluster may be under way; `None` means no limit.
    pub(super) deadline: Option<SignedDuration>,
    /// How long a cluster must have succeeded. An endless soak time counts as none, as in upstream.
    pub(super) soak: Option<SignedDuration>,
}

/// The standing of a cluster, according to its status and the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// To be started.
    Waiting,
    /// Progressing, failed or soaking. Its deadline or soak time ends at `look_at`.
    Underway { look_at: Option<Timestamp> },
    /// Its deadline has passed.
    TimedOut { deadline: Timestamp },
    /// Nothing more is expected of it.
    Closed,
}

impl Timing {
    /// Returns `true` if a cluster that took this long, in whole seconds, missed the deadline.
    pub(super) fn is_late(&self, took: SignedDuration) -> bool {
        // The last second counts as a whole: the span was truncated to seconds, but a deadline may have fractions.
        self.deadline.is_some_and(|deadline| took.saturating_add(SignedDuration::from_secs(1)) > deadline)
    }

    /// Classifies a cluster that has been in its status since `since`.
    ///
    /// Without `since`, the clock starts at this moment, and so restarts with every decision.
    pub(super) fn classify(&self, status: Status, since: Option<Timestamp>) -> Class {
        let end = |span: SignedDuration| since.unwrap_or(self.now).checked_add(span).unwrap_or(Timestamp::MAX);
        match status {
            Status::ToApply => Class::Waiting,
            Status::TimeOut | Status::Skip => Class::Closed,
            Status::Succeeded => match self.soak.map(end) {
                Some(end) if self.now < end => Class::Underway { look_at: Some(end) },
                _ => Class::Closed,
            },
            Status::Progressing | Status::Failed => match self.deadline.map(end) {
                Some(deadline) if self.now >= deadline => Class::TimedOut { deadline },
                look_at => Class::Underway { look_at },
            },
        }
    }
}
