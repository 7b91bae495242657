//! The data of an item of news as named fields: those of its log line.

use super::item::{Names, News};

/// The data of an item of news; a field that its kind does not have is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The add-on.
    pub addon: Option<String>,
    /// The version before.
    pub from: Option<String>,
    /// The version after.
    pub to: Option<String>,
    /// The decision group.
    pub group: Option<String>,
    /// Number of clusters.
    pub clusters: Option<u64>,
    /// Number of objects.
    pub objects: Option<u64>,
    /// The first few clusters, gates or objects.
    pub names: Option<String>,
    /// Number of times an object was repaired.
    pub repairs: Option<u64>,
    /// The reason.
    pub reason: Option<String>,
}

impl Facts {
    /// Returns the data of an item.
    pub fn of(news: &News) -> Self {
        let addon = news.addon().map(ToString::to_string);
        let count = |count: &usize| Some(u64::try_from(*count).unwrap_or(u64::MAX));
        let named = |names: &Names| Self {
            clusters: count(&names.count),
            names: Some(names.to_string()),
            addon: addon.clone(),
            ..Self::default()
        };
        let plain = Self { addon: addon.clone(), ..Self::default() };
        match news {
            News::RolloutUnderway { to, clusters, .. } | News::RolloutCompleted { to, clusters, .. } => {
                Self { to: Some(to.clone()), clusters: count(clusters), ..plain }
            }
            News::RolloutStarted { from, to, clusters, .. } => {
                let from = Some(from.clone()).filter(|from| !from.is_empty());
                Self { from, to: Some(to.clone()), clusters: count(clusters), ..plain }
            }
            News::RolloutStopped { to, group, reason, .. } => {
                Self { to: Some(to.clone()), group: group.clone(), reason: Some(reason.clone()), ..plain }
            }
            News::RolloutResumed { to, .. } => Self { to: Some(to.clone()), ..plain },
            News::ApprovalAwaited { to, clusters, gates, reason, .. } => Self {
                to: Some(to.clone()),
                clusters: count(clusters),
                names: Some(gates.to_string()),
                reason: Some(reason.clone()),
                ..plain
            },
            News::RolledBack { to, clusters, reason, .. } => {
                Self { to: Some(to.clone()), clusters: count(clusters), reason: Some(reason.clone()), ..plain }
            }
            News::ClustersAdded { to, clusters, .. } => Self { to: Some(to.clone()), ..named(clusters) },
            News::ClustersFailed { clusters, reason, .. }
            | News::ClustersTimedOut { clusters, reason, .. }
            | News::ClustersDegraded { clusters, reason, .. } => {
                Self { reason: Some(reason.clone()), ..named(clusters) }
            }
            News::ClustersRecovered { clusters, .. }
            | News::UninstallStarted { clusters, .. }
            | News::UninstallCompleted { clusters, .. } => named(clusters),
            News::AddonRefused { reason, .. }
            | News::AddonHeld { reason, .. }
            | News::GatesOverridden { reason }
            | News::BrakeHeld { reason }
            | News::BrakeReleased { reason } => Self { reason: Some(reason.clone()), ..plain },
            News::AddonReleased { .. } => plain,
            News::AddonWithdrawn { clusters, .. } => Self { clusters: count(clusters), ..plain },
            News::DriftRepaired { objects, .. } => {
                Self { objects: count(&objects.count), names: Some(objects.to_string()), ..plain }
            }
            News::ForeignWriter { object, repairs, .. } => {
                Self { names: Some(object.to_string()), repairs: count(repairs), ..plain }
            }
        }
    }

    /// Returns the names of the fields that are present, in the order of the log line.
    pub fn fields(&self) -> Vec<&'static str> {
        let Self { addon, from, to, group, clusters, objects, names, repairs, reason } = self;
        [
            ("addon", addon.is_some()),
            ("from", from.is_some()),
            ("to", to.is_some()),
            ("group", group.is_some()),
            ("clusters", clusters.is_some()),
            ("objects", objects.is_some()),
            ("names", names.is_some()),
            ("repairs", repairs.is_some()),
            ("reason", reason.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, is_present)| is_present.then_some(name))
        .collect()
    }
}
