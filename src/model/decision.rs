//! Decision groups: the order in which the clusters of a placement are taken.

use serde::{Deserialize, Serialize};

use super::name::ClusterName;

/// A numbered, maybe named group of clusters that a Placement's decision strategy makes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DecisionGroup {
    /// Position among the groups of the placement, from 0.
    pub index: i32,
    /// Name of the group; empty for one that only the size made.
    pub name: String,
    /// The clusters, sorted by name.
    pub clusters: Vec<ClusterName>,
}

/// Which engine decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Semantics {
    /// Tidegate's own safe semantics.
    #[default]
    Strict,
    /// Upstream OCM's engine, quirks included.
    Compat,
}

/// What a cluster becomes that is not well during its soak time. Strict only: upstream does not look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SoakDip {
    /// Under way again: it must become well before its deadline, and then soak from the beginning.
    #[default]
    Restart,
    /// Failed, until it gets another configuration: it counts against the failure budget.
    Fail,
}
