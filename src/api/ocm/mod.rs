//! The OCM kinds, mirrored from `open-cluster-management.io/api` (read 2026-08-11).
//!
//! Objects of the add-on group are held as v1beta1. [`convert`] converts them to v1alpha1 and back, and [`v1alpha1`] holds
//! the types that only the older version has.

pub mod addon_deployment_config;
pub mod addon_placement_score;
pub mod addon_template;
pub mod applied_manifest_work;
pub mod cluster_claim;
pub mod cluster_management_addon;
pub mod cluster_profile;
pub mod config_reference;
pub mod convert;
pub mod crds;
pub mod managed_cluster;
pub mod managed_cluster_addon;
pub mod managed_cluster_set;
pub mod manifest_work;
pub mod manifest_work_replica_set;
pub mod placement;
pub mod rollout_strategy;
pub mod v1alpha1;
