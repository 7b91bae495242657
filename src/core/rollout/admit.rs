//! What keeps a cluster from starting although the strategy would let it start: a gate of a policy or of a control file.

use std::fmt;

use crate::GroupKey;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::plural::counted;
use tidegate_model::time::Timestamp;

/// A closed gate. Displays as a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gate {
    /// What closes it, such as `RolloutPolicy production` or `control/istio.yaml`.
    pub source: String,
    /// Why it is closed.
    pub barrier: Barrier,
}

/// Why a gate is closed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Barrier {
    /// People paused the rollout.
    Paused {
        /// Why.
        reason: String,
    },
    /// People ended the rollout of this digest.
    Aborted {
        /// Why.
        reason: String,
    },
    /// The cluster is in quarantine and gets nothing new.
    Excluded {
        /// Why.
        reason: String,
    },
    /// A policy or control file cannot be read, so it is not known what it allows.
    Unreadable {
        /// Why.
        why: String,
    },
    /// People have not approved.
    Approval {
        /// Name of the rule.
        rule: String,
        /// The group that needs the approval; `None` for the whole rollout.
        group: Option<GroupKey>,
        /// How many people have approved.
        have: usize,
        /// How many have to.
        need: usize,
        /// What is missing, and who can give it.
        missing: String,
    },
    /// No window is open.
    Window {
        /// Name of the window that opens next, or of the first one.
        name: String,
        /// When it opens; `None` if it never does.
        opens: Option<Timestamp>,
    },
    /// A freeze is in force.
    Freeze {
        /// Its name.
        name: String,
        /// When it ends.
        ends: Timestamp,
    },
    /// Too many clusters are under way.
    Limit {
        /// Name of the limit.
        name: String,
        /// The label and its value, if clusters are counted by label.
        value: Option<(String, String)>,
        /// How many clusters are under way.
        underway: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// Clusters with too many values of a label are under way.
    Values {
        /// Name of the limit.
        name: String,
        /// The label.
        label: String,
        /// The values that are under way.
        busy: Vec<String>,
    },
    /// Too many add-ons are under way on the cluster.
    SameCluster {
        /// Name of the limit.
        name: String,
        /// The add-ons that are under way.
        busy: Vec<String>,
    },
    /// Too many clusters have started within a minute.
    Rate {
        /// Name of the limit.
        name: String,
        /// How many may start.
        allowed: usize,
        /// When the next one may start.
        next: Timestamp,
    },
    /// Another add-on is not healthy yet.
    After {
        /// The other add-on.
        addon: String,
        /// Where it is not healthy, such as `on this cluster`.
        scope: &'static str,
    },
    /// A unit that this one requires is not healthy on the cluster, or the cluster does not get it.
    Requires {
        /// The required unit.
        unit: UnitName,
        /// Whether the cluster gets it at all.
        is_selected: bool,
    },
    /// An earlier step is not done.
    Step {
        /// The placement of that step.
        placement: String,
        /// What is the case there, such as `3 clusters are not done`.
        why: String,
    },
    /// Another add-on has the lock.
    Lock {
        /// Name of the lock.
        name: String,
        /// The add-on that has it.
        holder: String,
    },
    /// The cluster cannot be reached, and takes no part until it returns.
    Parked,
    /// More clusters are unreachable than may be parked.
    ManyUnreachable {
        /// How many are unreachable.
        unreachable: usize,
        /// How many may be parked.
        allowed: usize,
    },
    /// The digest failed, and is taken back once the hub has recorded that.
    Rejected {
        /// The digest, shortened.
        digest: String,
    },
    /// All clusters of a mandatory group are left out, so that none of them can show that the configuration works.
    LeftOut {
        /// The group.
        group: GroupKey,
    },
    /// The cluster was reachable for too short a time.
    Returned {
        /// When it has been reachable for long enough.
        until: Timestamp,
    },
    /// The cluster joined in the middle of the rollout.
    Joined {
        /// Whether it waits for the next rollout, not only for the other clusters.
        holds: bool,
    },
    /// The rollback goes through the newest groups first.
    RollsBackLater {
        /// The newest group that is not done.
        group: GroupKey,
    },
    /// The cluster is under way with the digest that failed, and goes back once it is done, has failed or is late.
    FinishesFirst {
        /// When it is late.
        until: Timestamp,
    },
    /// A check of an earlier group has not passed.
    Check {
        /// Name of the check.
        name: String,
        /// The group that is checked.
        group: GroupKey,
        /// What it showed.
        result: String,
    },
}

/// Decides whether a cluster may start that the strategy would start now. Each `None` counts as a start.
pub type Admit<'a> = dyn FnMut(&ClusterName, &GroupKey) -> Option<Gate> + 'a;

/// Lets every cluster start.
pub fn admit_all(_: &ClusterName, _: &GroupKey) -> Option<Gate> {
    None
}

impl Gate {
    /// Returns when time alone may open the gate.
    pub fn look_at(&self) -> Option<Timestamp> {
        match &self.barrier {
            Barrier::Window { opens, .. } => *opens,
            Barrier::Freeze { ends, .. } => Some(*ends),
            Barrier::Rate { next, .. } => Some(*next),
            Barrier::Returned { until } | Barrier::FinishesFirst { until } => Some(*until),
            _ => None,
        }
    }

    /// Returns what opens the gate, and who can open it.
    pub fn opens(&self) -> String {
        let Self { source, barrier } = self;
        match barrier {
            Barrier::Paused { .. } => format!("a commit removes the pause from {source} (tidegate resume)"),
            Barrier::Aborted { .. } => {
                format!("a commit brings another configuration, or removes the abort from {source}")
            }
            Barrier::Excluded { .. } => {
                format!("a commit releases it from the quarantine in {source} (tidegate quarantine --release)")
            }
            Barrier::Unreadable { .. } => format!("a commit fixes {source}"),
            Barrier::Approval { missing, .. } => format!("it is approved (tidegate approve): {missing}"),
            Barrier::Window { opens: Some(opens), .. } => format!("the window opens at {opens}"),
            Barrier::Window { opens: None, .. } => {
                format!("a commit changes the windows of {source}: none of them opens")
            }
            Barrier::Freeze { ends, .. } => {
                format!("the freeze ends at {ends}, or a break-glass approval overrides it")
            }
            Barrier::Limit { .. } | Barrier::Values { .. } => {
                "a cluster that is under way is done or failed".to_owned()
            }
            Barrier::SameCluster { .. } => "the other add-on is done on this cluster".to_owned(),
            Barrier::Rate { next, .. } => format!("the next cluster may start at {next}"),
            Barrier::After { addon, scope, .. } => format!("{addon} is done and healthy {scope}"),
            Barrier::Requires { unit, is_selected: true } => format!("{unit} is done and healthy on this cluster"),
            Barrier::Requires { unit, is_selected: false } => {
                format!("a commit selects this cluster for {unit}, or no longer requires it")
            }
            Barrier::Step { placement, .. } => format!("all clusters of placement {placement} are done"),
            Barrier::Lock { holder, .. } => format!("no cluster is under way with {holder}"),
            Barrier::Parked => "the cluster is reachable again".to_owned(),
            Barrier::ManyUnreachable { .. } => "enough clusters are reachable again".to_owned(),
            Barrier::Rejected { .. } => {
                "the hub has recorded the rejection, and the add-on is followed at its last good digest".to_owned()
            }
            Barrier::LeftOut { group } => {
                format!("a cluster of {group} is no longer left out, or the strategy names another mandatory group")
            }
            Barrier::Returned { until } => format!("it stays reachable until {until}"),
            Barrier::Joined { holds: true } => "a commit brings another configuration".to_owned(),
            Barrier::Joined { holds: false } => "all other clusters of the placement are done".to_owned(),
            Barrier::RollsBackLater { group } => format!("{group} is rolled back"),
            Barrier::FinishesFirst { until } => format!("it is done or has failed, at the latest at {until}"),
            Barrier::Check { name, group, .. } => format!("check {name} of {group} passes"),
        }
    }

    /// Returns the reason without its current numbers.
    pub fn lasting(&self) -> String {
        let Self { source, barrier } = self;
        match barrier {
            Barrier::Approval { rule, group: Some(group), .. } => {
                format!("waits for approval {rule:?} before {group} ({source})")
            }
            Barrier::Approval { rule, .. } => format!("waits for approval {rule:?} ({source})"),
            Barrier::Limit { name, value: Some((label, value)), .. } => {
                format!("waits for limit {name:?} of {label}={value} ({source})")
            }
            Barrier::Limit { name, .. } | Barrier::Values { name, .. } => {
                format!("waits for limit {name:?} ({source})")
            }
            Barrier::SameCluster { name, .. } => {
                format!("waits for limit {name:?}: another add-on is under way ({source})")
            }
            Barrier::Rate { name, allowed, .. } => {
                format!("waits for limit {name:?}: {allowed} starts per minute ({source})")
            }
            Barrier::Step { placement, .. } => format!("waits for placement {placement} ({source})"),
            Barrier::Lock { name, .. } => format!("waits for lock {name:?} ({source})"),
            Barrier::ManyUnreachable { .. } => format!("too many clusters are unreachable ({source})"),
            Barrier::Check { name, group, .. } => format!("waits for check {name:?} of {group} ({source})"),
            _ => self.to_string(),
        }
    }

    /// Returns `true` if the cluster takes no part in the rollout for now: the others do not wait for it.
    pub fn sets_aside(&self) -> bool {
        matches!(self.barrier, Barrier::Excluded { .. } | Barrier::Parked | Barrier::Joined { .. })
    }

    /// Returns `true` if the rollout may end without the cluster.
    pub fn lets_rollout_end(&self) -> bool {
        matches!(self.barrier, Barrier::Excluded { .. } | Barrier::Parked | Barrier::Joined { holds: true })
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, barrier } = self;
        match barrier {
            Barrier::Paused { reason } => write!(f, "paused by {source}: {reason}"),
            Barrier::Aborted { reason } => write!(f, "aborted by {source}: {reason}"),
            Barrier::Excluded { reason } => write!(f, "in quarantine by {source}: {reason}"),
            Barrier::Unreadable { why } => write!(f, "held: {source} cannot be read: {why}"),
            Barrier::Approval { have, need, .. } => write!(f, "{}: {have} of {need}", self.lasting()),
            Barrier::Window { name, opens: Some(opens) } => {
                write!(f, "waits for window {name:?}, which opens at {opens} ({source})")
            }
            Barrier::Window { name, opens: None } => {
                write!(f, "waits for window {name:?}, which never opens ({source})")
            }
            Barrier::Freeze { name, ends } => write!(f, "waits for the end of freeze {name:?} at {ends} ({source})"),
            Barrier::Limit { underway, allowed, .. } => {
                write!(f, "{}: {underway} under way, {allowed} allowed", self.lasting())
            }
            Barrier::Values { label, busy, .. } => {
                write!(f, "{}: under way where {label} is {}", self.lasting(), busy.join(", "))
            }
            Barrier::SameCluster { busy, .. } => write!(f, "{}: {}", self.lasting(), busy.join(", ")),
            Barrier::Rate { next, .. } => write!(f, "{}, next at {next}", self.lasting()),
            Barrier::After { addon, scope } => write!(f, "waits for {addon} {scope} ({source})"),
            Barrier::Requires { unit, is_selected: true } => {
                write!(f, "waits for {unit} on this cluster ({source})")
            }
            Barrier::Requires { unit, is_selected: false } => {
                write!(f, "requires {unit}, which this cluster does not get ({source})")
            }
            Barrier::Step { why, .. } => write!(f, "{}: {why}", self.lasting()),
            Barrier::Lock { holder, .. } => write!(f, "{}: held by {holder}", self.lasting()),
            Barrier::Parked => write!(f, "parked: the cluster is unreachable ({source})"),
            Barrier::ManyUnreachable { unreachable, allowed } => {
                let unreachable = counted(*unreachable, "cluster");
                write!(f, "{unreachable} cannot be reached, and at most {allowed} may be parked ({source})")
            }
            Barrier::Rejected { digest } => {
                write!(f, "digest {digest} was rejected, and is about to be taken back ({source})")
            }
            Barrier::LeftOut { group } => {
                write!(f, "held: all clusters of mandatory {group} are in quarantine, parked or joined late ({source})")
            }
            Barrier::Returned { until } => {
                write!(f, "the cluster returned, and must stay reachable until {until} ({source})")
            }
            Barrier::Joined { holds: true } => {
                write!(f, "joined in the middle of the rollout, and waits for the next one ({source})")
            }
            Barrier::Joined { holds: false } => {
                write!(f, "joined in the middle of the rollout, and starts after all others ({source})")
            }
            Barrier::FinishesFirst { until } => {
                write!(f, "finishes before it is rolled back, until {until} ({source})")
            }
            Barrier::RollsBackLater { group } => write!(f, "waits for the rollback of {group} ({source})"),
            Barrier::Check { result, .. } => write!(f, "{}: {result}", self.lasting()),
        }
    }
}
