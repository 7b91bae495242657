//! What the evidence of a check means.

use super::evidence::Evidence;
use super::observation::Outcome;
use super::read::Check;
use tidegate_api::rollout_policy::WhenUnreachable;

/// The state of a check of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It has not been measured since its result counts.
    Unmeasured,
    /// It passes, or gives no result and that counts as passed.
    Passing,
    /// It failed, but not often enough in a row to count as failed.
    Failing {
        /// How often in a row.
        times: u32,
    },
    /// It failed so often in a row that it counts as failed.
    Failed {
        /// How often in a row.
        times: u32,
    },
    /// It gives no result, and nothing is concluded from that.
    NoResult,
}

impl State {
    /// Returns the state of a check with its evidence.
    pub(super) fn of(check: &Check, evidence: Option<&Evidence>) -> Self {
        let Some(evidence) = evidence else { return Self::Unmeasured };
        let times = evidence.failures;
        match (evidence.outcome, check.unreachable) {
            (Outcome::Passed, _) => Self::Passing,
            _ if times >= check.failures => Self::Failed { times },
            (Outcome::Failed, _) | (Outcome::NoResult, WhenUnreachable::Fail) => Self::Failing { times },
            // A server that does not answer any more takes back no failure.
            (Outcome::NoResult, WhenUnreachable::Pass) if times == 0 => Self::Passing,
            (Outcome::NoResult, _) => Self::NoResult,
        }
    }
}
