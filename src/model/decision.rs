//! Decision groups: the order in which the clusters of a placement are processed.

use serde::{Deserialize, Serialize};

use super::name::ClusterName;

/// A numbered and optionally named group of clusters, created by the decision strategy of a Placement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DecisionGroup {
    /// Index among the groups of the placement, from 0.
    pub index: i32,
    /// Name of the group; empty for a group that only the group size created.
    pub name: String,
    /// The clusters, sorted by name.
    pub clusters: Vec<ClusterName>,
}

/// The engine that decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Semantics {
    /// Tidegate's own safe semantics.
    #[default]
    Strict,
    /// Upstream OCM's engine, quirks included.
    Compat,
}

/// What happens to a cluster that becomes unhealthy during its soak time. Strict only: upstream does not check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SoakDip {
    /// In progress again: it must become healthy before its deadline, and its soak time starts over.
    #[default]
    Restart,
    /// Failed until it gets a different configuration: it counts against the failure budget.
    Fail,
}
