//! The last state of the loop, for observers outside of it.

use std::sync::Arc;

use tidegate_journal::Facts;
use tidegate_plan::report::Report;

/// The outcome of one tick.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Number of the tick, from 1; 0 before the first.
    pub tick: u64,
    /// The state of each add-on and cluster, and why clusters wait.
    pub report: Arc<Report>,
    /// Further facts for the journal.
    pub facts: Arc<Facts>,
    /// Number of writes that the tick planned; 0 once everything is as it should be.
    pub writes: usize,
    /// Writes that failed, in readable form.
    pub failures: Vec<String>,
    /// How many fresh ticks had been requested when this one started.
    pub asked: u64,
}
