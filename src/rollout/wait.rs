//! Why a cluster has not started yet.

use std::fmt;

use crate::api::ocm::rollout_strategy::MandatoryDecisionGroup;
use crate::model::time::Timestamp;
use crate::rollout::GroupKey;

/// What a cluster that has not started waits for. Displays as a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    /// As many clusters are under way as may be.
    Slot {
        /// How many are under way.
        in_flight: usize,
        /// How many may be.
        allowed: usize,
    },
    /// An earlier group is not done.
    Group {
        /// The earlier group.
        group: GroupKey,
        /// How many of its clusters are not done.
        unfinished: usize,
    },
    /// A mandatory group is not done.
    MandatoryGroup {
        /// The mandatory group.
        group: GroupKey,
        /// How many of its clusters are not done.
        unfinished: usize,
    },
    /// Only clusters in their soak time stand before it.
    Soak {
        /// When the soak time ends that opens the way.
        until: Timestamp,
    },
    /// More clusters failed than may fail.
    FailureBudget {
        /// The group whose budget it is; `None` if it is that of the whole placement.
        group: Option<GroupKey>,
        /// How many failed or timed out.
        failed: usize,
        /// How many may.
        allowed: usize,
    },
    /// The strategy names a mandatory group that has no clusters or does not exist.
    UnknownMandatoryGroup {
        /// The entry of the strategy.
        group: MandatoryDecisionGroup,
    },
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slot { in_flight, allowed } => {
                write!(f, "waits for a free slot: {in_flight} under way, {allowed} allowed")
            }
            Self::Group { group, unfinished } => write!(f, "waits for {group}: {unfinished} not done"),
            Self::MandatoryGroup { group, unfinished } => {
                write!(f, "waits for mandatory {group}: {unfinished} not done")
            }
            Self::Soak { until } => write!(f, "waits for the soak time, which ends at {until}"),
            Self::FailureBudget { group: None, failed, allowed } => {
                write!(f, "stopped by the failure budget: {failed} failed, {allowed} allowed")
            }
            Self::FailureBudget { group: Some(group), failed, allowed } => {
                write!(f, "stopped by the failure budget of {group}: {failed} failed, {allowed} allowed")
            }
            Self::UnknownMandatoryGroup { group } if group.group_name.is_empty() => {
                write!(f, "blocked: mandatory group {} has no clusters", group.group_index)
            }
            Self::UnknownMandatoryGroup { group } => {
                write!(f, "blocked: mandatory group {:?} has no clusters", group.group_name)
            }
        }
    }
}
