//! What the loop last knew, for everybody who looks at it from outside.

use std::sync::Arc;

use tidegate_core::journal::Facts;
use tidegate_core::plan::report::Report;

/// The outcome of one tick.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Counts the ticks, from 1; 0 before the first.
    pub tick: u64,
    /// What is where, what waits and why.
    pub report: Arc<Report>,
    /// What the journal tells besides.
    pub facts: Arc<Facts>,
    /// How many writes the tick had to make; 0 once everything is as it should be.
    pub writes: usize,
    /// Writes that failed, as a person reads them.
    pub failures: Vec<String>,
    /// How often somebody had asked for a fresh tick when this one began.
    pub asked: u64,
}
