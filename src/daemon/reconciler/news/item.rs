//! One item of news.

use std::fmt;

use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// Number of names that an item lists; the others are only counted.
const NAMED: usize = 5;

/// A number of things, and the names of the first few. Displays as `a, b and 3 more`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Number of things.
    pub count: usize,
    /// The first names, in order; at most five.
    pub first: Vec<String>,
}

impl Names {
    /// Returns the only name, if there is exactly one.
    pub fn only(&self) -> Option<&str> {
        if self.count == 1 { self.first.first().map(String::as_str) } else { None }
    }
}

impl<T: fmt::Display> FromIterator<T> for Names {
    fn from_iter<I: IntoIterator<Item = T>>(names: I) -> Self {
        let mut found = Self::default();
        for name in names {
            found.count += 1;
            if found.first.len() < NAMED {
                found.first.push(name.to_string());
            }
        }
        found
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first.join(", "))?;
        match self.count.saturating_sub(self.first.len()) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// One item of news. Displays as one sentence with all of its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A rollout was under way when this process started.
    RolloutUnderway {
        /// The add-on.
        addon: UnitName,
        /// The version that its clusters should have.
        to: String,
        /// Number of clusters that are not done.
        clusters: usize,
    },
    /// The rollout of new configurations started.
    RolloutStarted {
        /// The add-on.
        addon: UnitName,
        /// The version before; empty for the first installation.
        from: String,
        /// The version after.
        to: String,
        /// Number of clusters that are not done.
        clusters: usize,
    },
    /// Every cluster has the desired configurations.
    RolloutCompleted {
        /// The add-on.
        addon: UnitName,
        /// The version that the clusters have.
        to: String,
        /// Number of clusters that have it.
        clusters: usize,
    },
    /// Too many clusters failed, so no further cluster starts.
    RolloutStopped {
        /// The add-on.
        addon: UnitName,
        /// The version that its clusters should have.
        to: String,
        /// The first decision group with failed clusters, if there is one.
        group: Option<String>,
        /// The exceeded budget.
        reason: String,
    },
    /// A stopped rollout continues.
    RolloutResumed {
        /// The add-on.
        addon: UnitName,
        /// The version that its clusters should have.
        to: String,
    },
    /// Clusters would start now, but people have not approved.
    ApprovalAwaited {
        /// The add-on.
        addon: UnitName,
        /// The version that its clusters should have.
        to: String,
        /// Number of clusters that wait.
        clusters: usize,
        /// The closed gates, each with its rule, its group and its policy.
        gates: Names,
        /// What opens the first of them, and who can.
        reason: String,
        /// The commands with which they can.
        commands: Vec<String>,
    },
    /// A rollout failed, and its clusters return to the last good version.
    RolledBack {
        /// The add-on.
        addon: UnitName,
        /// The version that its clusters get back.
        to: String,
        /// Number of clusters of the add-on.
        clusters: usize,
        /// The policy that rolls it back, the digest that failed, and how to continue.
        reason: String,
    },
    /// A placement selects more clusters than before, while the configurations are unchanged.
    ClustersAdded {
        /// The add-on.
        addon: UnitName,
        /// The version that they get.
        to: String,
        /// The clusters.
        clusters: Names,
    },
    /// Clusters reported a failure.
    ClustersFailed {
        /// The add-on.
        addon: UnitName,
        /// The clusters.
        clusters: Names,
        /// The most frequent reason among them.
        reason: String,
    },
    /// Clusters missed their deadline.
    ClustersTimedOut {
        /// The add-on.
        addon: UnitName,
        /// The clusters.
        clusters: Names,
        /// The most frequent reason among them.
        reason: String,
    },
    /// The add-on stopped working on clusters whose rollout is completed.
    ClustersDegraded {
        /// The add-on.
        addon: UnitName,
        /// The clusters.
        clusters: Names,
        /// The most frequent reason among them.
        reason: String,
    },
    /// Clusters that had failed, timed out or were degraded now work with the same configurations.
    ClustersRecovered {
        /// The add-on.
        addon: UnitName,
        /// The clusters.
        clusters: Names,
    },
    /// An add-on is not managed.
    AddonRefused {
        /// The add-on.
        addon: UnitName,
        /// The reason.
        reason: String,
    },
    /// An add-on stays on an older revision, or on its current clusters.
    AddonHeld {
        /// The add-on.
        addon: UnitName,
        /// The reason.
        reason: String,
    },
    /// An add-on is no longer refused or held.
    AddonReleased {
        /// The add-on.
        addon: UnitName,
    },
    /// An add-on is no longer in the repository.
    AddonWithdrawn {
        /// The add-on.
        addon: UnitName,
        /// Number of clusters that had it.
        clusters: usize,
    },
    /// An add-on is being removed from clusters.
    UninstallStarted {
        /// The add-on.
        addon: UnitName,
        /// The clusters.
        clusters: Names,
    },
    /// An add-on was removed from clusters.
    UninstallCompleted {
        /// The add-on.
        addon: UnitName,
        /// The clusters.
        clusters: Names,
    },
    /// Someone overrides windows and freezes, so that clusters start in them.
    GatesOverridden {
        /// Who overrides what, and why.
        reason: String,
    },
    /// Changes are held back until someone confirms them or makes them smaller.
    BrakeHeld {
        /// What is held back, and how to release it.
        reason: String,
    },
    /// Changes are no longer held back.
    BrakeReleased {
        /// What was held back.
        reason: String,
    },
    /// Objects were changed or deleted by someone else, and were written again.
    DriftRepaired {
        /// The add-on that the objects belong to, if it is known.
        addon: Option<UnitName>,
        /// The objects.
        objects: Names,
        /// The only object, if there is just one.
        object: Option<ObjectKey>,
    },
    /// Someone else keeps changing an object, and it is repaired each time. Further repairs of it are only counted.
    ForeignWriter {
        /// The add-on that the object belongs to, if it is known.
        addon: Option<UnitName>,
        /// The object.
        object: ObjectKey,
        /// Number of repairs within [`super::repair::WINDOW`].
        repairs: usize,
    },
}

impl News {
    /// Returns the add-on that the item is about, if it is about one.
    pub fn addon(&self) -> Option<&UnitName> {
        match self {
            Self::RolloutUnderway { addon, .. }
            | Self::RolloutStarted { addon, .. }
            | Self::RolloutCompleted { addon, .. }
            | Self::RolloutStopped { addon, .. }
            | Self::RolloutResumed { addon, .. }
            | Self::ApprovalAwaited { addon, .. }
            | Self::RolledBack { addon, .. }
            | Self::ClustersAdded { addon, .. }
            | Self::ClustersFailed { addon, .. }
            | Self::ClustersTimedOut { addon, .. }
            | Self::ClustersDegraded { addon, .. }
            | Self::ClustersRecovered { addon, .. }
            | Self::AddonRefused { addon, .. }
            | Self::AddonHeld { addon, .. }
            | Self::AddonReleased { addon }
            | Self::AddonWithdrawn { addon, .. }
            | Self::UninstallStarted { addon, .. }
            | Self::UninstallCompleted { addon, .. } => Some(addon),
            Self::DriftRepaired { addon, .. } | Self::ForeignWriter { addon, .. } => addon.as_ref(),
            Self::BrakeHeld { .. } | Self::BrakeReleased { .. } | Self::GatesOverridden { .. } => None,
        }
    }

    /// Returns the clusters that the item names, if it names any.
    pub fn clusters(&self) -> Option<&Names> {
        match self {
            Self::ClustersAdded { clusters, .. }
            | Self::ClustersFailed { clusters, .. }
            | Self::ClustersTimedOut { clusters, .. }
            | Self::ClustersDegraded { clusters, .. }
            | Self::ClustersRecovered { clusters, .. }
            | Self::UninstallStarted { clusters, .. }
            | Self::UninstallCompleted { clusters, .. } => Some(clusters),
            _ => None,
        }
    }

    /// Returns the cluster that the item is about, if it is about exactly one.
    pub fn cluster(&self) -> Option<ClusterName> {
        self.clusters()?.only()?.parse().ok()
    }
}
