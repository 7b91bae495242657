//! The result of the scheduler.

use super::decisions::page::DecisionPage;
use tidegate_api::ocm::placement::PlacementStatus;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The decision groups, in order.
    pub groups: Vec<DecisionGroup>,
    /// The whole status of the Placement.
    pub status: PlacementStatus,
    /// The PlacementDecisions that should exist, in order.
    pub decisions: Vec<DecisionPage>,
    /// The selected clusters, most preferred first.
    pub selected: Vec<Ranked>,
    /// How many clusters are missing from the requested number.
    pub unscheduled: usize,
    /// When a toleration of a decided cluster ends, so that the Placement must be scheduled again.
    pub look_at: Option<Timestamp>,
    /// How the run ended.
    pub code: Code,
    /// `true` if the Placement or a set is invalid, or if the Placement names only unbound sets. The existing decisions
    /// must then be kept. The groups above are upstream's result and must not be acted on.
    pub keep_decisions: bool,
}

/// A selected cluster and its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// The cluster.
    pub cluster: ClusterName,
    /// Its total score.
    pub score: i64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// Everything is valid.
    Success,
    /// Decided on incomplete input, such as expired scores.
    Warning(PluginMessage),
    /// Something other than the Placement is broken, such as a cluster set.
    Error(PluginMessage),
    /// The Placement asks for something invalid or impossible.
    Misconfigured(PluginMessage),
}

/// A problem, and the part of the scheduler that reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginMessage {
    /// Upstream's name for the part; empty for the scheduler itself.
    pub plugin: String,
    /// The problem.
    pub message: String,
}

impl PluginMessage {
    pub(super) fn new(plugin: impl Into<String>, message: impl Into<String>) -> Self {
        Self { plugin: plugin.into(), message: message.into() }
    }
}
