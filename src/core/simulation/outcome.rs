//! How a schedule ends.

use std::fmt;

/// A schedule whose rules were kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What happened, one line each. The same seed gives the same lines.
    pub trace: Vec<String>,
    /// Number of plans that replicas made.
    pub plans: usize,
    /// Number of writes that reached the hub.
    pub writes: usize,
    /// Number of times that another replica took over.
    pub terms: u64,
}

/// A schedule that broke a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What was broken.
    pub what: String,
    /// What happened until then, one line each.
    pub trace: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.trace.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        write!(f, "{}", self.what)
    }
}
