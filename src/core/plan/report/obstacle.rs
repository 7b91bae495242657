//! What keeps an add-on on a cluster that should not have it.

use std::fmt;

use super::hold::Hold;
use crate::moves::Move;
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::counted;
use tidegate_model::time::Timestamp;
use tidegate_rollout::{Gate, Wait};

/// Why an add-on stays for now on a cluster that should not have it. Displays as a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// Clusters that get the add-on in the same change are not healthy yet.
    Installs {
        /// How many.
        unfinished: usize,
    },
    /// The rollout of the add-on is stopped.
    Stopped,
    /// A cluster was deselected only just now. More may follow, or a scheduler may put it into another Placement.
    Settling {
        /// When that counts as decided.
        until: Timestamp,
    },
    /// It is not its turn.
    Order(Wait),
    /// More clusters would lose the add-on than may lose it at once.
    Brake(Hold),
    /// More objects left the repository than may be removed at once.
    Objects(Hold),
    /// The add-on left the repository, and nothing that left it is removed.
    Kept {
        /// Why.
        why: String,
    },
    /// An object that has to stay on the cluster would be deleted: its agent has not reported that it stays.
    Data {
        /// The object.
        object: Box<ObjectKey>,
    },
    /// An object is to be delivered by another unit, which does not have it on the cluster yet.
    Moves(Box<Move>),
    /// The strategy cannot be read.
    Strategy {
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Installs { unfinished: 1 } => {
                f.write_str("keeps the add-on until 1 cluster that gets it in the same change is healthy")
            }
            Self::Installs { unfinished } => {
                write!(f, "keeps the add-on until {unfinished} clusters that get it in the same change are healthy")
            }
            Self::Stopped => f.write_str("keeps the add-on while its rollout is stopped"),
            Self::Settling { until } => {
                write!(f, "keeps the add-on until {until}: a cluster was deselected only just now")
            }
            Self::Order(wait) => write!(f, "keeps the add-on: {wait}"),
            Self::Brake(hold) => write!(
                f,
                "held: {} of {} would lose the add-on, and at most {} may lose it at once",
                hold.held.len(),
                counted(hold.total, "cluster"),
                hold.limit
            ),
            Self::Objects(hold) => {
                write!(
                    f,
                    "held: {} of {} left the repository, and at most {} may be removed at once",
                    hold.held.len(),
                    counted(hold.total, "object"),
                    hold.limit
                )
            }
            Self::Kept { why } => write!(f, "keeps the add-on although it left the repository: {why}"),
            Self::Data { object } => {
                write!(f, "keeps the application until its agent reports that {object} stays: it would be deleted")
            }
            Self::Moves(moved) => {
                let Move { object, to } = &**moved;
                write!(
                    f,
                    "keeps the application until {to} has {object} on the cluster: it moves there, and would be deleted"
                )
            }
            Self::Strategy { why } => write!(f, "keeps the add-on: its rollout strategy is invalid: {why}"),
        }
    }
}

impl Obstacle {
    /// Returns the obstacle of a paused add-on.
    pub(crate) fn paused(gate: Gate) -> Self {
        Self::Order(Wait::Gate(Box::new(gate)))
    }

    /// Returns the reason without numbers that change while it lasts.
    pub(crate) fn lasting(&self) -> String {
        match self {
            Self::Installs { .. } => {
                "keeps the add-on until the clusters that get it in the same change are healthy".to_owned()
            }
            Self::Order(wait) => format!("keeps the add-on: {}", wait.lasting()),
            Self::Brake(_) => "held: more clusters would lose the add-on than may lose it at once".to_owned(),
            Self::Objects(_) => "held: more objects left the repository than may be removed at once".to_owned(),
            other => other.to_string(),
        }
    }

    /// Returns what would let the cluster proceed.
    pub(crate) fn opens(&self) -> String {
        match self {
            Self::Installs { .. } => {
                "those clusters are healthy, or prune.wait_for_installs in tidegate.toml is false".to_owned()
            }
            Self::Stopped => "the rollout continues".to_owned(),
            Self::Settling { .. } => "it is still deselected then, and no other cluster has been since".to_owned(),
            Self::Order(Wait::FailureBudget { .. }) => {
                "the removals that took too long are complete, or a commit raises maxFailures".to_owned()
            }
            Self::Order(Wait::Group { group, .. } | Wait::MandatoryGroup { group, .. }) => {
                format!("the add-on is removed from all clusters of {group} that lose it")
            }
            Self::Order(wait @ Wait::Gate(_)) => wait.opens(),
            Self::Order(_) => "the add-on is removed from another cluster that is losing it".to_owned(),
            Self::Brake(hold) | Self::Objects(hold) => hold.opens(),
            Self::Kept { .. } => "a commit changes that".to_owned(),
            Self::Data { .. } => {
                "the agent of the cluster reports that it has applied the ManifestWorks, or a person deletes them"
                    .to_owned()
            }
            Self::Moves(_) => "that unit starts on the cluster".to_owned(),
            Self::Strategy { .. } => "a commit fixes the strategy".to_owned(),
        }
    }
}
