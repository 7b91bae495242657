//! An item of news as a sentence: the message of its Event.

use std::fmt;

use super::item::{Names, News};
use tidegate_model::plural::counted;

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clusters = |names: &Names| format!("{}: {names}", counted(names.count, "cluster"));
        match self {
            Self::RolloutUnderway { to, clusters, .. } => {
                write!(f, "The rollout of {to} is under way; {} not done", counted(*clusters, "cluster"))
            }
            Self::RolloutStarted { from, to, clusters, .. } if from.is_empty() => {
                write!(f, "The installation of {to} on {} started", counted(*clusters, "cluster"))
            }
            Self::RolloutStarted { from, to, clusters, .. } => {
                write!(f, "The rollout from {from} to {to} on {} started", counted(*clusters, "cluster"))
            }
            Self::RolloutCompleted { to, clusters, .. } => {
                write!(f, "The rollout of {to} is completed on {}", counted(*clusters, "cluster"))
            }
            Self::RolloutStopped { to, group: Some(group), reason, .. } => {
                write!(f, "The rollout of {to} stopped in {group}: {reason}")
            }
            Self::RolloutStopped { to, group: None, reason, .. } => write!(f, "The rollout of {to} stopped: {reason}"),
            Self::RolloutResumed { to, .. } => write!(f, "The rollout of {to} continues"),
            Self::ApprovalAwaited { to, clusters, gates, reason, .. } => {
                write!(f, "The rollout of {to} {gates}; {} wait until {reason}", counted(*clusters, "cluster"))
            }
            Self::RolledBack { to, clusters, reason, .. } => {
                write!(f, "The add-on returns to {to} on {}: {reason}", counted(*clusters, "cluster"))
            }
            Self::ClustersAdded { to, clusters: names, .. } => write!(f, "{to} is installed on {}", clusters(names)),
            Self::ClustersFailed { clusters: names, reason, .. } => write!(f, "Failed: {} ({reason})", clusters(names)),
            Self::ClustersTimedOut { clusters: names, reason, .. } => {
                write!(f, "Timed out: {} ({reason})", clusters(names))
            }
            Self::ClustersDegraded { clusters: names, reason, .. } => {
                write!(f, "Degraded: {} ({reason})", clusters(names))
            }
            Self::ClustersRecovered { clusters: names, .. } => write!(f, "Recovered: {}", clusters(names)),
            Self::AddonRefused { reason, .. } => write!(f, "The add-on is refused: {reason}"),
            Self::AddonHeld { reason, .. } => match reason.strip_prefix("held") {
                Some(rest) => write!(f, "The add-on is held{rest}"),
                None => write!(f, "The add-on is held: {reason}"),
            },
            Self::AddonReleased { .. } => f.write_str("The add-on is no longer held or refused"),
            Self::AddonWithdrawn { clusters, .. } => {
                write!(f, "The add-on is no longer in the repository; {} had it", counted(*clusters, "cluster"))
            }
            Self::UninstallStarted { clusters: names, .. } => {
                write!(f, "The add-on is being removed from {}", clusters(names))
            }
            Self::UninstallCompleted { clusters: names, .. } => {
                write!(f, "The add-on was removed from {}", clusters(names))
            }
            Self::GatesOverridden { reason } => f.write_str(reason),
            Self::BrakeHeld { reason } => write!(f, "Changes are held back: {reason}"),
            Self::BrakeReleased { reason } => write!(f, "Changes are no longer held back: {reason}"),
            Self::DriftRepaired { objects, .. } => {
                write!(f, "Someone else changed {}: {objects}; repaired", counted(objects.count, "object"))
            }
            Self::ForeignWriter { object, repairs, .. } => {
                write!(f, "Someone else keeps changing {object}: it was repaired {repairs} times in ten minutes")
            }
        }
    }
}
