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
