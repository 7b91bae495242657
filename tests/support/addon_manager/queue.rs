//! The decisions of controllers that wait to be written.

use std::collections::BTreeMap;
use std::time::Duration;

use tidegate_model::action::Write;
use tokio::time::Instant;

use crate::upstream::controls::Controller;

/// The delay after the first refused write. It doubles with each further one.
const FIRST_RETRY: Duration = Duration::from_millis(5);
/// The longest delay after refused writes.
const LONGEST_RETRY: Duration = Duration::from_secs(1000);

/// A controller and what it acts on: an add-on (`cluster` is empty), or an add-on on a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::upstream) struct Task {
    pub(in crate::upstream) controller: Controller,
    pub(in crate::upstream) cluster: String,
    pub(in crate::upstream) addon: String,
}

impl Task {
    pub(in crate::upstream) fn new(controller: Controller, cluster: &str, addon: &str) -> Self {
        Self { controller, cluster: cluster.to_owned(), addon: addon.to_owned() }
    }
}

/// The decisions that wait to be written, at most one for each task.
#[derive(Debug, Default)]
pub(in crate::upstream) struct Queue {
    pending: BTreeMap<Task, (Instant, Vec<Write>)>,
    /// The number of refused writes since the last successful one.
    failures: BTreeMap<Task, u32>,
}

impl Queue {
    /// Returns `true` if a decision of the task waits.
    pub(in crate::upstream) fn contains(&self, task: &Task) -> bool {
        self.pending.contains_key(task)
    }

    /// Adds a decision, to be written after a delay; later after failures.
    pub(in crate::upstream) fn add(&mut self, task: Task, delay: Duration, writes: Vec<Write>) {
        let failures = self.failures.get(&task).copied().unwrap_or_default();
        let retry = match failures {
            0 => Duration::ZERO,
            _ => FIRST_RETRY.saturating_mul(1 << (failures - 1).min(20)).min(LONGEST_RETRY),
        };
        // With a delay that overflows the clock, the decision is never written.
        if let Some(due) = Instant::now().checked_add(delay.max(retry)) {
            self.pending.insert(task, (due, writes));
        }
    }

    /// Returns when the next decision is due.
    pub(in crate::upstream) fn next_due(&self) -> Option<Instant> {
        self.pending.values().map(|(due, _)| *due).min()
    }

    /// Removes the next decision that is due. Of several, the first in the order of the controllers comes first.
    pub(in crate::upstream) fn pop(&mut self, now: Instant) -> Option<(Task, Vec<Write>)> {
        let due = self.pending.iter().filter(|(_, (due, _))| *due <= now);
        let task = due.min_by_key(|(task, (due, _))| (*due, *task)).map(|(task, _)| task.clone())?;
        let (_, writes) = self.pending.remove(&task)?;
        Some((task, writes))
    }

    /// Records whether the writes of a task were accepted.
    pub(in crate::upstream) fn record(&mut self, task: &Task, is_accepted: bool) {
        if is_accepted {
            self.failures.remove(task);
        } else {
            *self.failures.entry(task.clone()).or_default() += 1;
        }
    }

    /// Drops all decisions.
    pub(in crate::upstream) fn clear(&mut self) {
        *self = Self::default();
    }
}
