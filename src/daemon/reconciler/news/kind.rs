//! The kinds of news: their names, log messages and severities.

use super::item::News;

/// A kind of news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// See [`News::RolloutUnderway`].
    RolloutUnderway,
    /// See [`News::RolloutStarted`].
    RolloutStarted,
    /// See [`News::RolloutCompleted`].
    RolloutCompleted,
    /// See [`News::RolloutStopped`].
    RolloutStopped,
    /// See [`News::RolloutResumed`].
    RolloutResumed,
    /// See [`News::ApprovalAwaited`].
    ApprovalAwaited,
    /// See [`News::RolledBack`].
    RolledBack,
    /// See [`News::ClustersAdded`].
    ClustersAdded,
    /// See [`News::ClustersFailed`].
    ClustersFailed,
    /// See [`News::ClustersTimedOut`].
    ClustersTimedOut,
    /// See [`News::ClustersDegraded`].
    ClustersDegraded,
    /// See [`News::ClustersRecovered`].
    ClustersRecovered,
    /// See [`News::AddonRefused`].
    AddonRefused,
    /// See [`News::AddonHeld`].
    AddonHeld,
    /// See [`News::AddonReleased`].
    AddonReleased,
    /// See [`News::AddonWithdrawn`].
    AddonWithdrawn,
    /// See [`News::UninstallStarted`].
    UninstallStarted,
    /// See [`News::UninstallCompleted`].
    UninstallCompleted,
    /// See [`News::GatesOverridden`].
    GatesOverridden,
    /// See [`News::BrakeHeld`].
    BrakeHeld,
    /// See [`News::BrakeReleased`].
    BrakeReleased,
    /// See [`News::DriftRepaired`].
    DriftRepaired,
    /// See [`News::ForeignWriter`].
    ForeignWriter,
}

impl Kind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Self; 23] = [
        Self::RolloutUnderway,
        Self::RolloutStarted,
        Self::RolloutCompleted,
        Self::RolloutStopped,
        Self::RolloutResumed,
        Self::ApprovalAwaited,
        Self::RolledBack,
        Self::ClustersAdded,
        Self::ClustersFailed,
        Self::ClustersTimedOut,
        Self::ClustersDegraded,
        Self::ClustersRecovered,
        Self::AddonRefused,
        Self::AddonHeld,
        Self::AddonReleased,
        Self::AddonWithdrawn,
        Self::UninstallStarted,
        Self::UninstallCompleted,
        Self::GatesOverridden,
        Self::BrakeHeld,
        Self::BrakeReleased,
        Self::DriftRepaired,
        Self::ForeignWriter,
    ];

    /// Returns the name of the kind in CamelCase: the `reason` of a Kubernetes Event.
    pub fn reason(self) -> String {
        format!("{self:?}")
    }

    /// Returns the message of the log line; the data is in its fields.
    pub fn title(self) -> &'static str {
        match self {
            Self::RolloutUnderway => "rollout is under way",
            Self::RolloutStarted => "rollout started",
            Self::RolloutCompleted => "rollout completed",
            Self::RolloutStopped => "rollout stopped",
            Self::RolloutResumed => "rollout resumed",
            Self::ApprovalAwaited => "rollout waits for approval",
            Self::RolledBack => "rollout is rolled back",
            Self::ClustersAdded => "clusters were added",
            Self::ClustersFailed => "clusters failed",
            Self::ClustersTimedOut => "clusters timed out",
            Self::ClustersDegraded => "clusters are degraded",
            Self::ClustersRecovered => "clusters recovered",
            Self::AddonRefused => "add-on is refused",
            Self::AddonHeld => "add-on is held",
            Self::AddonReleased => "add-on is no longer held or refused",
            Self::AddonWithdrawn => "add-on left the repository",
            Self::UninstallStarted => "uninstallation started",
            Self::UninstallCompleted => "uninstallation completed",
            Self::GatesOverridden => "windows and freezes are overridden",
            Self::BrakeHeld => "changes are held back",
            Self::BrakeReleased => "changes are no longer held back",
            Self::DriftRepaired => "drift was repaired",
            Self::ForeignWriter => "someone else keeps changing an object",
        }
    }

    /// Returns `true` if it needs attention: the log line has level WARN, and the Event has type Warning.
    pub fn is_warning(self) -> bool {
        matches!(
            self,
            Self::RolloutStopped
                | Self::RolledBack
                | Self::ClustersFailed
                | Self::ClustersTimedOut
                | Self::ClustersDegraded
                | Self::AddonRefused
                | Self::AddonHeld
                | Self::GatesOverridden
                | Self::BrakeHeld
                | Self::DriftRepaired
                | Self::ForeignWriter
        )
    }
}

impl News {
    /// Returns the kind of the item.
    pub fn kind(&self) -> Kind {
        match self {
            Self::RolloutUnderway { .. } => Kind::RolloutUnderway,
            Self::RolloutStarted { .. } => Kind::RolloutStarted,
            Self::RolloutCompleted { .. } => Kind::RolloutCompleted,
            Self::RolloutStopped { .. } => Kind::RolloutStopped,
            Self::RolloutResumed { .. } => Kind::RolloutResumed,
            Self::ApprovalAwaited { .. } => Kind::ApprovalAwaited,
            Self::RolledBack { .. } => Kind::RolledBack,
            Self::ClustersAdded { .. } => Kind::ClustersAdded,
            Self::ClustersFailed { .. } => Kind::ClustersFailed,
            Self::ClustersTimedOut { .. } => Kind::ClustersTimedOut,
            Self::ClustersDegraded { .. } => Kind::ClustersDegraded,
            Self::ClustersRecovered { .. } => Kind::ClustersRecovered,
            Self::AddonRefused { .. } => Kind::AddonRefused,
            Self::AddonHeld { .. } => Kind::AddonHeld,
            Self::AddonReleased { .. } => Kind::AddonReleased,
            Self::AddonWithdrawn { .. } => Kind::AddonWithdrawn,
            Self::UninstallStarted { .. } => Kind::UninstallStarted,
            Self::UninstallCompleted { .. } => Kind::UninstallCompleted,
            Self::GatesOverridden { .. } => Kind::GatesOverridden,
            Self::BrakeHeld { .. } => Kind::BrakeHeld,
            Self::BrakeReleased { .. } => Kind::BrakeReleased,
            Self::DriftRepaired { .. } => Kind::DriftRepaired,
            Self::ForeignWriter { .. } => Kind::ForeignWriter,
        }
    }
}
