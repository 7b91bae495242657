//! The decision for each cluster, what would change it, and when.

use std::fmt;

use crate::Wait;
use tidegate_model::time::{GoDuration, SignedDuration, Timestamp};

/// The decision for one cluster. Displays as a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It gets the configuration at this moment.
    Starts,
    /// It has not started.
    Waits(Wait),
    /// It was given the configuration and has not reported success.
    Underway {
        /// When it times out, if ever.
        deadline: Option<Timestamp>,
    },
    /// It reports a failure, from which it may recover.
    Failed {
        /// When it times out, if ever.
        deadline: Option<Timestamp>,
    },
    /// It succeeded, but not for long enough.
    Soaks {
        /// When its soak time ends; absent for one that never ends.
        until: Option<Timestamp>,
    },
    /// It succeeded, and nothing more is expected of it.
    Done,
    /// It succeeded, but only after its deadline, and holds back the clusters after its mandatory group. Strict only.
    Late {
        /// How long it took.
        took: SignedDuration,
    },
    /// It was under way for longer than the deadline allows.
    TimedOut,
    /// It takes no part in the rollout.
    Skipped,
    /// It is no longer in any decision group.
    Removed,
}

impl Verdict {
    /// Returns when time alone changes the verdict.
    pub fn look_at(&self) -> Option<Timestamp> {
        match self {
            Self::Underway { deadline } | Self::Failed { deadline } => *deadline,
            Self::Soaks { until } => *until,
            Self::Waits(wait) => wait.look_at(),
            Self::Starts | Self::Done | Self::Late { .. } | Self::TimedOut | Self::Skipped | Self::Removed => None,
        }
    }

    /// Returns what would let the cluster proceed; empty if nothing is left to do.
    pub fn opens(&self) -> String {
        match self {
            Self::Starts => "it is written to the hub in this tick".to_owned(),
            Self::Waits(wait) => wait.opens(),
            Self::Underway { .. } => "the cluster reports success".to_owned(),
            Self::Failed { .. } => "the cluster recovers, or gets another configuration".to_owned(),
            Self::Soaks { .. } => "it stays healthy until then".to_owned(),
            Self::TimedOut => "the cluster succeeds after all, or gets another configuration".to_owned(),
            Self::Removed => "a placement selects it again".to_owned(),
            Self::Done | Self::Late { .. } | Self::Skipped => String::new(),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Starts => f.write_str("starts"),
            Self::Waits(wait) => wait.fmt(f),
            Self::Underway { deadline: None } => f.write_str("under way, without a deadline"),
            Self::Underway { deadline: Some(deadline) } => write!(f, "under way, times out at {deadline}"),
            Self::Failed { deadline: None } => f.write_str("failed"),
            Self::Failed { deadline: Some(deadline) } => write!(f, "failed, times out at {deadline}"),
            Self::Soaks { until: None } => f.write_str("soaks forever"),
            Self::Soaks { until: Some(until) } => write!(f, "soaks until {until}"),
            Self::Done => f.write_str("done"),
            Self::Late { took } => {
                write!(f, "succeeded {} after its start, which is after its progressDeadline", GoDuration(*took))
            }
            Self::TimedOut => f.write_str("took longer than the deadline allows"),
            Self::Skipped => f.write_str("takes no part"),
            Self::Removed => f.write_str("no placement selects it any longer"),
        }
    }
}
