//! How long a cluster may take and must soak, and what follows for one cluster at one moment.

use crate::model::time::{SignedDuration, Timestamp};
use crate::rollout::{ClusterStatus, Status};

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
    /// To be started, under way, or in its soak time.
    Rollout,
    /// Its deadline has passed; the status says so.
    TimedOut,
    /// Nothing more is expected of it.
    Out,
}

impl Patience {
    /// Classifies a cluster whose status began at `since`, and sets its recheck time and, past its deadline, its status.
    ///
    /// Without a begin, the clock starts at this moment, and so anew with every decision.
    pub(super) fn classify(&self, status: &mut ClusterStatus, since: Option<Timestamp>) -> Class {
        let end = |span: SignedDuration| {
            let begin = since.unwrap_or(self.now);
            begin.checked_add(span).unwrap_or(Timestamp::MAX)
        };
        match status.status {
            Status::ToApply => Class::Rollout,
            Status::TimeOut | Status::Skip => Class::Out,
            Status::Succeeded => match self.soak.map(end).filter(|end| self.now < *end) {
                Some(end) => {
                    status.recheck = Some(end);
                    Class::Rollout
                }
                None => Class::Out,
            },
            Status::Progressing | Status::Failed => {
                status.recheck = self.deadline.map(end);
                if status.recheck.is_none_or(|end| self.now < end) {
                    Class::Rollout
                } else {
                    status.status = Status::TimeOut;
                    Class::TimedOut
                }
            }
        }
    }
}
