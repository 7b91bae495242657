//! The events of which receivers are notified.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::reconciler::news::Kind;

/// An event, as the configuration names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// A rollout stopped because too many clusters failed, continues, or is rolled back.
    Halted,
    /// A rollout waits for the approval of people.
    Gate,
    /// An add-on stopped working on clusters, or works again.
    Degraded,
    /// An add-on or a change is held or refused, or no longer is.
    Held,
    /// A rollout is completed on all clusters.
    Completed,
}

impl Event {
    /// All events, the most important one first.
    pub const ALL: [Self; 5] = [Self::Halted, Self::Gate, Self::Degraded, Self::Held, Self::Completed];

    /// Returns the event that a kind of news belongs to; `None` if receivers are not notified of it.
    pub fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::RolloutStopped | Kind::RolloutResumed | Kind::RolledBack => Some(Self::Halted),
            Kind::ApprovalAwaited | Kind::GatesOverridden => Some(Self::Gate),
            Kind::ClustersDegraded | Kind::ClustersRecovered => Some(Self::Degraded),
            Kind::AddonRefused | Kind::AddonHeld | Kind::AddonReleased | Kind::BrakeHeld | Kind::BrakeReleased => {
                Some(Self::Held)
            }
            Kind::RolloutCompleted => Some(Self::Completed),
            Kind::RolloutUnderway
            | Kind::RolloutStarted
            | Kind::ClustersAdded
            | Kind::ClustersFailed
            | Kind::ClustersTimedOut
            | Kind::AddonWithdrawn
            | Kind::UninstallStarted
            | Kind::UninstallCompleted
            | Kind::DriftRepaired
            | Kind::ForeignWriter => None,
        }
    }
}
