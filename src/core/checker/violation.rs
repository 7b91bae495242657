//! Rule violations, as values that display as sentences.

use std::fmt;

use super::breach::Breach;
use super::configs::Configs;
use super::gates::Bar;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::counted;

/// A rule violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// A cluster was started although as many were in flight as are allowed.
    TooManyInFlight {
        /// The add-on.
        addon: UnitName,
        /// The placement of the cluster.
        placement: NamespacedName,
        /// The cluster.
        cluster: ClusterName,
        /// How many are in flight, including this one.
        in_flight: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// A cluster was started although more had failed than are allowed to.
    BudgetSpent {
        /// The add-on.
        addon: UnitName,
        /// The placement of the cluster.
        placement: NamespacedName,
        /// The cluster.
        cluster: ClusterName,
        /// The group whose budget is spent; `None` for the budget of the whole placement.
        group: Option<String>,
        /// How many have failed.
        failed: usize,
        /// How many are allowed to fail.
        allowed: usize,
    },
    /// A cluster was started although a mandatory group has no clusters.
    MandatoryGroupMissing {
        /// The add-on.
        addon: UnitName,
        /// The placement of the cluster.
        placement: NamespacedName,
        /// The cluster.
        cluster: ClusterName,
        /// The group, as named in the strategy.
        group: String,
    },
    /// A cluster was started although a group ahead of its own has not finished.
    GroupNotThrough {
        /// The add-on.
        addon: UnitName,
        /// The placement of the cluster.
        placement: NamespacedName,
        /// The cluster.
        cluster: ClusterName,
        /// The group ahead.
        ahead: String,
        /// Whether that group is mandatory, so that every one of its clusters has to succeed.
        is_mandatory: bool,
        /// How many of its clusters have not finished.
        unfinished: usize,
    },
    /// A cluster was started although a placement of an earlier step has not finished.
    StepNotThrough {
        /// The unit.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// The placement of the earlier step.
        ahead: NamespacedName,
        /// How many of its clusters have not finished.
        unfinished: usize,
    },
    /// A cluster was started although a policy or a control file forbade it.
    Barred {
        /// The add-on.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// What forbade it.
        bar: Box<Bar>,
    },
    /// A cluster was started although no placement selects it.
    NotSelected {
        /// The add-on.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
    },
    /// A start gave a unit an object that another one has on the cluster, and keeps: that one is revision-only, or has errors.
    TakenOver {
        /// The unit that was started.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// The object.
        object: Box<ObjectKey>,
        /// The unit that has it.
        keeper: UnitName,
    },
    /// A start or a removal took an object from a cluster that another unit is to have there, and did not have yet.
    GivenUp {
        /// The unit that had it.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// The object.
        object: Box<ObjectKey>,
        /// The unit that is to have it.
        to: UnitName,
    },
    /// A cluster was started although several entries of an AppDeployment select it.
    Contested {
        /// The unit.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
    },
    /// A cluster was assigned configurations other than those its layers give.
    WrongConfiguration {
        /// The add-on.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// The configurations assigned to it.
        assigned: Configs,
        /// The configurations the repository declares for it, with the hashes of the declared specs.
        declared: Configs,
    },
    /// A cluster was assigned a configuration that the repository does not hold.
    UnknownConfiguration {
        /// The add-on.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// The assigned configurations that are not declared.
        unknown: Configs,
    },
    /// A work was written with configurations other than those assigned to its cluster.
    WorkAheadOfStatus {
        /// The add-on.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// Name of the work.
        work: String,
        /// The configurations it carries; `None` if they cannot be read.
        carried: Option<Configs>,
        /// The configurations assigned to the cluster.
        assigned: Configs,
    },
    /// A cluster was reported as succeeded without proof.
    UnprovenSuccess {
        /// The add-on.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// The configurations it was reported to have.
        claimed: Configs,
        /// What is missing.
        lack: Lack,
    },
    /// The components of an application were not delivered to a cluster in their order.
    OutOfOrder {
        /// The unit.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// What happened.
        breach: Box<Breach>,
    },
    /// A work of an application was deleted, and with it an object of a kind that stays: its cluster is not known to keep it.
    DataLost {
        /// The unit.
        addon: UnitName,
        /// The cluster.
        cluster: ClusterName,
        /// The object.
        object: Box<ObjectKey>,
    },
    /// A placement was reported complete although some of its clusters have not finished.
    UnprovenCompletion {
        /// The add-on.
        addon: UnitName,
        /// The placement.
        placement: NamespacedName,
        /// How many of its clusters have not finished.
        unfinished: usize,
        /// How many clusters it has.
        total: usize,
    },
}

/// What is missing for a success to be proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lack {
    /// No work exists.
    Work,
    /// A work carries other configurations.
    Configuration {
        /// Name of the work.
        work: String,
        /// The configurations it carries; `None` if they cannot be read.
        carried: Option<Configs>,
    },
    /// The cluster has not confirmed the current generation of a work.
    Confirmation {
        /// Name of the work.
        work: String,
        /// The condition that is missing, not true, or of an earlier generation.
        condition: &'static str,
        /// The generation of the work.
        generation: i64,
        /// The generation that the condition was observed at.
        confirmed: Option<i64>,
    },
    /// A work has been written since the cluster confirmed it.
    Rewritten {
        /// Name of the work.
        work: String,
    },
    /// OCM's add-on manager, which delivers the add-on, does not report a copy as applied.
    Report {
        /// Name of the copy.
        copy: String,
    },
    /// OCM's add-on manager does not report that the cluster is done.
    Completion {
        /// The reason of its condition `Progressing`; empty if the condition is missing.
        reason: String,
    },
    /// The add-on is not available.
    Health {
        /// The status of its condition `Available`; empty if the condition is missing.
        available: String,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyInFlight { addon, placement, cluster, in_flight, allowed } => write!(
                f,
                "add-on {addon} was started on {cluster} although placement {placement} allows only {} in flight at once: \
                 {in_flight} are",
                counted(*allowed, "cluster")
            ),
            Self::BudgetSpent { addon, placement, cluster, group, failed, allowed } => {
                let of = group.as_ref().map(|group| format!("{group} of ")).unwrap_or_default();
                write!(
                    f,
                    "add-on {addon} was started on {cluster} although the failure budget of {of}placement {placement} is \
                     spent: {failed} failed, {allowed} allowed"
                )
            }
            Self::MandatoryGroupMissing { addon, placement, cluster, group } => write!(
                f,
                "add-on {addon} was started on {cluster} although mandatory {group} of placement {placement} has no clusters"
            ),
            Self::GroupNotThrough { addon, placement, cluster, ahead, is_mandatory, unfinished } => write!(
                f,
                "add-on {addon} was started on {cluster} although {} of {}{ahead} of placement {placement}, which comes first, \
                 did not finish",
                counted(*unfinished, "cluster"),
                if *is_mandatory { "mandatory " } else { "" }
            ),
            Self::StepNotThrough { addon, cluster, ahead, unfinished } => write!(
                f,
                "{addon} was started on {cluster} although {} of placement {ahead}, an earlier step, did not finish",
                counted(*unfinished, "cluster")
            ),
            Self::Barred { addon, cluster, bar } => {
                write!(f, "add-on {addon} was started on {cluster} although {bar}")
            }
            Self::WrongConfiguration { .. }
            | Self::UnknownConfiguration { .. }
            | Self::TakenOver { .. }
            | Self::GivenUp { .. }
            | Self::Contested { .. }
            | Self::NotSelected { .. } => self.selection(f),
            Self::WorkAheadOfStatus { addon, cluster, work, carried, assigned } => write!(
                f,
                "work {work} of add-on {addon} on {cluster} carries {}, but the cluster was assigned {assigned}",
                shown(carried.as_ref())
            ),
            Self::UnprovenSuccess { addon, cluster, claimed, lack } => {
                write!(f, "add-on {addon} is reported as succeeded on {cluster} with {claimed}, but {lack}")
            }
            Self::OutOfOrder { addon, cluster, breach } => write!(f, "{addon} on {cluster}: {breach}"),
            Self::DataLost { addon, cluster, object } => {
                write!(f, "a work of {addon} on {cluster} was deleted before the cluster was known to keep {object}")
            }
            Self::UnprovenCompletion { addon, placement, unfinished, total } => write!(
                f,
                "add-on {addon} is reported complete on placement {placement}, but {unfinished} of {} did not finish",
                counted(*total, "cluster")
            ),
        }
    }
}

impl Violation {
    /// Displays why a cluster may not have the unit.
    fn selection(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TakenOver { addon, cluster, object, keeper } => {
                write!(f, "{addon} was started on {cluster} with {object}, which {keeper} has there, and keeps")
            }
            Self::GivenUp { addon, cluster, object, to } => {
                write!(f, "{addon} gave up {object} on {cluster} before {to} had it there")
            }
            Self::Contested { addon, cluster } => write!(f, "{addon} was started on {cluster}, which is contested"),
            Self::NotSelected { addon, cluster } => {
                write!(f, "add-on {addon} was started on {cluster}, which no placement selects")
            }
            Self::WrongConfiguration { addon, cluster, assigned, declared } => write!(
                f,
                "add-on {addon} was started on {cluster} with {assigned}, but the repository declares {declared}"
            ),
            Self::UnknownConfiguration { addon, cluster, unknown } => {
                write!(f, "add-on {addon} was started on {cluster} with {unknown}, which the repository does not hold")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Work => f.write_str("it has no work"),
            Self::Configuration { work, carried } => write!(f, "work {work} carries {}", shown(carried.as_ref())),
            Self::Confirmation { work, condition, generation, confirmed: Some(confirmed) } => write!(
                f,
                "condition {condition} of work {work} does not confirm generation {generation}; it was observed at \
                 generation {confirmed}"
            ),
            Self::Confirmation { work, condition, generation, confirmed: None } => {
                write!(f, "condition {condition} of work {work} does not confirm generation {generation}")
            }
            Self::Rewritten { work } => write!(f, "work {work} has been written since the cluster confirmed it"),
            Self::Report { copy } => write!(f, "OCM's add-on manager does not report {copy} as applied"),
            Self::Completion { reason } if reason.is_empty() => f.write_str("OCM's add-on manager reports no progress"),
            Self::Completion { reason } => write!(f, "OCM's add-on manager reports {reason}"),
            Self::Health { available } if available.is_empty() => f.write_str("its health is unknown"),
            Self::Health { available } => write!(f, "its condition Available is {available}"),
        }
    }
}

fn shown(configs: Option<&Configs>) -> String {
    configs.map_or_else(|| "configurations that cannot be read".to_owned(), ToString::to_string)
}
