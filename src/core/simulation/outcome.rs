//! How a schedule ends.

use std::collections::BTreeSet;
use std::fmt;

use tidegate_journal::Unwritable;
use tidegate_model::name::ClusterName;
use tidegate_plan::report::ClusterReport;

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

/// What a schedule breaks.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    /// The checker finds violations.
    #[error("{}", .0.join("\n"))]
    Rules(Vec<String>),
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    #[error("r{replica} leads in term {term}, and the journal has another one")]
    Term { replica: usize, term: u64 },
    #[error("still busy after {0} steps in which nothing failed")]
    Busy(usize),
    #[error("no replica leads in the end")]
    NoLeader,
    #[error("{whose} knows no add-on")]
    NoAddon { whose: &'static str },
    #[error("{whose} knows the clusters {known:?} instead of {clusters:?}")]
    Clusters { whose: &'static str, known: BTreeSet<String>, clusters: BTreeSet<String> },
    #[error("{whose}: {cluster} should have version {version}: {report:?}")]
    Cluster { whose: &'static str, cluster: ClusterName, version: String, report: Box<ClusterReport> },
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
