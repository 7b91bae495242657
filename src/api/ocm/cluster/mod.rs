//! The kinds of clusters: those of `cluster.open-cluster-management.io`, the rollout strategies that other groups share, and
//! ClusterProfile.

pub mod addon_placement_score;
mod availability;
pub mod cluster_claim;
pub mod cluster_profile;
pub mod managed_cluster;
pub mod managed_cluster_set;
pub mod placement;
pub mod rollout_strategy;
