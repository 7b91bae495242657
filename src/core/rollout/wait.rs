//! Why a cluster has not started yet.

use std::fmt;

use crate::{Gate, GroupKey};
use tidegate_api::ocm::rollout_strategy::MandatoryDecisionGroup;
use tidegate_model::plural::{counted, first_of};
use tidegate_model::time::Timestamp;

/// What a cluster that has not started waits for. Displays as a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    /// The maximum number of clusters is under way.
    Slot {
        /// How many are under way.
        in_flight: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// The `maxConcurrency` of the strategy is zero, so no cluster may start. Strict only.
    NoConcurrency,
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
    /// Only soaking clusters are ahead of it.
    Soak {
        /// When the soak time that it waits for ends.
        until: Timestamp,
    },
    /// More clusters failed than allowed.
    FailureBudget {
        /// The group that the budget belongs to; `None` if it is the budget of the whole placement.
        group: Option<GroupKey>,
        /// How many failed or timed out.
        failed: usize,
        /// How many may fail.
        allowed: usize,
    },
    /// A cluster of a mandatory group, which tolerates no failure, failed or was late.
    MandatoryFailure {
        /// The mandatory group.
        group: GroupKey,
        /// How many failed or timed out, including those that were late.
        failed: usize,
        /// The names of those that succeeded, but only after their deadline. Strict only.
        late: Vec<String>,
        /// Whether it also starts if failed clusters recover. Compat only.
        may_recover: bool,
    },
    /// The strategy names a mandatory group that has no clusters or does not exist.
    UnknownMandatoryGroup {
        /// The entry of the strategy.
        group: MandatoryDecisionGroup,
    },
    /// Upstream starts nothing after its mandatory groups while any other cluster is under way or timed out. Compat only.
    OthersBusy {
        /// How many are under way or timed out.
        busy: usize,
    },
    /// Upstream loses the last groups if there is a gap in the indexes. Compat only.
    IndexGap {
        /// The group that is lost.
        group: GroupKey,
    },
    /// A gate of a policy or of a control file is closed.
    Gate(Box<Gate>),
}

impl Wait {
    /// Returns when time alone ends the wait.
    pub fn look_at(&self) -> Option<Timestamp> {
        match self {
            Self::Soak { until } => Some(*until),
            Self::Gate(gate) => gate.look_at(),
            _ => None,
        }
    }

    /// Returns what ends the wait.
    pub fn opens(&self) -> String {
        match self {
            Self::Slot { .. } => "a cluster that is under way finishes or times out".to_owned(),
            Self::NoConcurrency => {
                "a commit sets maxConcurrency to 1 or more, or to \"100%\" for all clusters at once, or removes it"
                    .to_owned()
            }
            Self::Group { group, .. } | Self::MandatoryGroup { group, .. } => {
                format!("all clusters of {group} are done")
            }
            Self::Soak { .. } => "the soaking clusters stay healthy until then".to_owned(),
            Self::FailureBudget { .. } => {
                "failed clusters recover, maxFailures is raised, or a commit brings another configuration".to_owned()
            }
            Self::MandatoryFailure { late, may_recover, .. } => {
                let recover = if *may_recover { "failed clusters recover, or " } else { "" };
                let deadline = if late.is_empty() { "" } else { ", sets a progressDeadline longer than they took" };
                format!(
                    "{recover}a commit brings another configuration, reverts to the one before{deadline}, or removes \
                     the group from mandatoryDecisionGroups"
                )
            }
            Self::UnknownMandatoryGroup { .. } => {
                "the placement gets a group of that name with clusters, or the strategy names another one".to_owned()
            }
            Self::OthersBusy { .. } => "those clusters finish, or a commit brings another configuration".to_owned(),
            Self::Gate(gate) => gate.opens(),
            Self::IndexGap { .. } => "the group indexes have no gap, or the semantics are strict".to_owned(),
        }
    }

    /// Returns the reason without its current numbers: what is written about each of thousands of waiting clusters must not change
    /// whenever another one is done.
    pub fn lasting(&self) -> String {
        match self {
            Self::Slot { .. } => "waits for a free slot".to_owned(),
            Self::Group { group, .. } => format!("waits for {group}"),
            Self::MandatoryGroup { group, .. } => format!("waits for mandatory {group}"),
            Self::FailureBudget { .. } => "stopped by the failure budget".to_owned(),
            Self::MandatoryFailure { late, .. } if late.is_empty() => "stopped by the failure budget".to_owned(),
            Self::MandatoryFailure { group, late, .. } => {
                format!("stopped by the failure budget of mandatory {group}: {}", lateness(late))
            }
            Self::OthersBusy { .. } => "waits for clusters of other groups".to_owned(),
            Self::Gate(gate) => gate.lasting(),
            Self::NoConcurrency | Self::Soak { .. } | Self::UnknownMandatoryGroup { .. } | Self::IndexGap { .. } => {
                self.to_string()
            }
        }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slot { in_flight, allowed } => {
                write!(f, "waits for a free slot: {in_flight} under way, {allowed} allowed")
            }
            Self::NoConcurrency => f.write_str("blocked: maxConcurrency allows no cluster to start"),
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
            Self::MandatoryFailure { group, failed, late, .. } => {
                write!(f, "stopped by the failure budget of {group}: {failed} failed, 0 allowed")?;
                if late.is_empty() { Ok(()) } else { write!(f, " ({})", lateness(late)) }
            }
            Self::OthersBusy { busy } => {
                write!(f, "waits for {} of other groups: under way or timed out", counted(*busy, "cluster"))
            }
            Self::Gate(gate) => gate.fmt(f),
            Self::IndexGap { group } => write!(f, "never starts: upstream loses {group} after a gap in the indexes"),
            Self::UnknownMandatoryGroup { group } if group.group_name.is_empty() => {
                write!(f, "blocked: mandatory group {} has no clusters", group.group_index)
            }
            Self::UnknownMandatoryGroup { group } => {
                write!(f, "blocked: mandatory group {:?} has no clusters", group.group_name)
            }
        }
    }
}

/// The number of clusters that are named; a group of thousands would fill the journal.
const MOST_NAMES: usize = 3;

/// Describes the clusters that were done only after their deadline.
fn lateness(late: &[String]) -> String {
    let named = first_of(late.iter().map(String::as_str), MOST_NAMES);
    format!("{named} succeeded only after the progressDeadline")
}
