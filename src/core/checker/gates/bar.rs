//! What forbade a start, as a value that displays as the end of a sentence.

use std::fmt;

use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::plural::counted;
use tidegate_model::time::Timestamp;

/// What forbade a start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bar {
    /// People paused the rollout.
    Paused {
        /// The control file.
        file: String,
    },
    /// People ended the rollout of the digest.
    Aborted {
        /// The control file.
        file: String,
    },
    /// The cluster gets nothing new.
    Excluded {
        /// The control file.
        file: String,
    },
    /// No window was open.
    Window {
        /// The policy.
        policy: String,
    },
    /// A freeze was in force.
    Freeze {
        /// The policy.
        policy: String,
        /// The name of the freeze.
        name: String,
    },
    /// Too few people approved.
    Approval {
        /// The policy.
        policy: String,
        /// The name of the rule.
        rule: String,
        /// The group that needs the approval; `None` for the whole rollout.
        group: Option<String>,
        /// How many people approved.
        have: usize,
        /// How many have to.
        need: u32,
    },
    /// Too many clusters were under way.
    Clusters {
        /// The policy.
        policy: String,
        /// The name of the limit.
        limit: String,
        /// The label and its value, if clusters are counted by label.
        value: Option<(String, String)>,
        /// How many are under way, including this one.
        underway: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// Clusters with too many values of a label were under way.
    Values {
        /// The policy.
        policy: String,
        /// The name of the limit.
        limit: String,
        /// The label.
        label: String,
        /// The values, including that of this cluster.
        busy: Vec<String>,
        /// How many are allowed.
        allowed: usize,
    },
    /// Too many add-ons were under way on the cluster.
    Addons {
        /// The policy.
        policy: String,
        /// The name of the limit.
        limit: String,
        /// The other add-ons.
        busy: Vec<String>,
        /// How many are allowed.
        allowed: usize,
    },
    /// Too many clusters started within a minute.
    Rate {
        /// The policy.
        policy: String,
        /// The name of the limit.
        limit: String,
        /// How many started, including this one.
        starts: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// Another add-on was not done.
    After {
        /// The policy.
        policy: String,
        /// The other add-on.
        addon: UnitName,
        /// A cluster on which it was not done.
        cluster: ClusterName,
    },
    /// A unit that this one requires was not done on the cluster, or the cluster was not to have it.
    Requires {
        /// The required unit.
        unit: UnitName,
    },
    /// Another add-on had the lock.
    Lock {
        /// The policy.
        policy: String,
        /// The name of the lock.
        name: String,
        /// The other add-on.
        holder: UnitName,
        /// A cluster that was under way with it.
        cluster: ClusterName,
    },
    /// The cluster was unreachable.
    Parked {
        /// The policy.
        policy: String,
    },
    /// Too many clusters of the placement were unreachable.
    ManyUnreachable {
        /// The policy.
        policy: String,
        /// How many.
        unreachable: usize,
        /// How many may be.
        allowed: usize,
    },
    /// The cluster was reachable for too short a time.
    Returned {
        /// The policy.
        policy: String,
        /// When it has been reachable for long enough.
        until: Timestamp,
    },
    /// The cluster joined the rollout in the middle.
    Joined {
        /// The policy.
        policy: String,
    },
    /// The rollback had not finished newer groups.
    NewerGroup {
        /// The newest group that waits.
        group: String,
    },
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paused { file } => write!(f, "{file} paused it"),
            Self::Aborted { file } => write!(f, "{file} aborted the rollout of its digest"),
            Self::Excluded { file } => write!(f, "{file} excludes the cluster"),
            Self::Window { policy } => write!(f, "no window of {policy} was open"),
            Self::Freeze { policy, name } => write!(f, "freeze {name:?} of {policy} was in force"),
            Self::Approval { policy, rule, group, have, need } => {
                let group = group.as_ref().map(|group| format!(" before group {group}")).unwrap_or_default();
                write!(f, "approval {rule:?}{group} of {policy} was missing: {have} of {need}")
            }
            Self::Clusters { policy, limit, value, underway, allowed } => {
                let of = value.as_ref().map(|(label, value)| format!(" with {label}={value}")).unwrap_or_default();
                let allowed = counted(*allowed, "cluster");
                write!(f, "limit {limit:?} of {policy} allows only {allowed}{of} under way: {underway} are")
            }
            Self::Values { policy, limit, label, busy, allowed } => {
                let (values, busy) = (counted(*allowed, "value"), busy.join(", "));
                write!(f, "limit {limit:?} of {policy} allows only {values} of {label} under way: {busy} are")
            }
            Self::Addons { policy, limit, busy, allowed } => {
                let (addons, busy) = (counted(*allowed, "add-on"), busy.join(", "));
                write!(f, "limit {limit:?} of {policy} allows only {addons} under way on a cluster, and so is {busy}")
            }
            Self::Rate { policy, limit, starts, allowed } => {
                let allowed = counted(*allowed, "start");
                write!(f, "limit {limit:?} of {policy} allows only {allowed} within a minute: it was number {starts}")
            }
            Self::After { policy, addon, cluster } => {
                write!(f, "{policy} wants add-on {addon} done first, and on {cluster} it was not")
            }
            Self::Requires { unit } => write!(f, "it requires {unit}, which was not done on the cluster"),
            Self::Lock { policy, name, holder, cluster } => {
                write!(f, "add-on {holder}, which was under way on {cluster}, had lock {name:?} of {policy}")
            }
            Self::Parked { policy } => write!(f, "{policy} parks clusters that cannot be reached, such as this one"),
            Self::ManyUnreachable { policy, unreachable, allowed } => {
                let unreachable = counted(*unreachable, "cluster");
                write!(f, "{unreachable} could not be reached, and {policy} parks at most {allowed}")
            }
            Self::Returned { policy, until } => {
                write!(f, "{policy} wants it to stay reachable until {until}")
            }
            Self::Joined { policy } => {
                write!(f, "it joined in the middle of the rollout, and {policy} holds such clusters")
            }
            Self::NewerGroup { group } => write!(f, "the rollback of {group}, which is newer, comes first"),
        }
    }
}
