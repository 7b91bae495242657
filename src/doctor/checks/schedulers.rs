//! Does exactly one scheduler choose the clusters of the placements?

use std::fmt;

use super::managers::fresh;
use crate::doctor::facts::{Facts, Lease, Placement};
use crate::doctor::line::{Level, Line, Verdict, few, line};
use tidegate_model::time::Timestamp;

/// The scheduler of the placements.
pub(super) enum Scheduler<'a> {
    /// Tidegate's own, and no other.
    Builtin,
    /// Tidegate's own, and OCM's.
    Two(&'a Lease),
    /// OCM's, with a fresh lease or without a placement that waits for it.
    Hub(&'a Lease),
    /// Something has scheduled every placement, but no lease is fresh.
    Unseen,
    /// These placements have never been scheduled.
    Missing(Vec<&'a str>),
    /// There is neither a placement nor a scheduler.
    Idle,
}

/// Returns the line about the placement controller.
pub(super) fn line_of(facts: &Facts) -> Line {
    const CHECK: &str = "placement controller";
    match (&facts.leases, &facts.placements) {
        (Ok(leases), Ok(placements)) => line(CHECK, &scheduler(leases, placements, facts.builtin_placement, facts.now)),
        (Err(unknown), _) | (_, Err(unknown)) => line(CHECK, unknown),
    }
}

fn scheduler<'a>(leases: &'a [Lease], all: &'a [Placement], builtin: bool, now: Timestamp) -> Scheduler<'a> {
    let waiting = all.iter().filter(|placement| !placement.is_scheduled);
    let waiting: Vec<&str> = waiting.map(|placement| placement.name.as_str()).collect();
    match (fresh(leases, "placement", now), builtin) {
        (Some(lease), true) => Scheduler::Two(lease),
        (None, true) => Scheduler::Builtin,
        (Some(lease), false) => Scheduler::Hub(lease),
        (None, false) if !waiting.is_empty() => Scheduler::Missing(waiting),
        (None, false) if all.is_empty() => Scheduler::Idle,
        (None, false) => Scheduler::Unseen,
    }
}

impl fmt::Display for Scheduler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin => write!(f, "Tidegate schedules, and no other scheduler runs"),
            Self::Two(lease) => write!(f, "{} runs, and Tidegate would schedule the same placements", lease.holder),
            Self::Hub(lease) => write!(f, "{} runs", lease.holder),
            Self::Unseen => write!(f, "all placements are scheduled, but no lease of a scheduler was renewed recently"),
            Self::Missing(names) => write!(f, "never scheduled: {}", few(names.iter().copied())),
            Self::Idle => write!(f, "the hub has no placement, and no lease of a scheduler was renewed recently"),
        }
    }
}

impl Verdict for Scheduler<'_> {
    fn level(&self) -> Level {
        match self {
            Self::Builtin | Self::Hub(_) => Level::Ok,
            Self::Unseen | Self::Idle => Level::Warn,
            Self::Two(_) | Self::Missing(_) => Level::Fail,
        }
    }

    fn fix(&self) -> Option<String> {
        match self {
            Self::Builtin | Self::Hub(_) => None,
            Self::Two(_) => Some("run with --placement hub, or stop OCM's placement controller".to_owned()),
            Self::Unseen | Self::Missing(_) | Self::Idle => {
                Some("start OCM's placement controller, or run with --placement builtin".to_owned())
            }
        }
    }
}
