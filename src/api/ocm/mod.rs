//! The OCM kinds, mirrored from `open-cluster-management.io/api` (read 2026-08-11).
//!
//! Objects of the add-on group are held as v1beta1. [`convert`] converts them to v1alpha1 and back, and [`v1alpha1`] holds
//! the types that only the older version has.

mod addon;
mod cluster;
pub mod crds;
mod declaration;
mod field_schema;
mod work;

pub use self::addon::{
    addon_deployment_config, addon_template, cluster_management_addon, config_reference, convert,
    managed_cluster_addon, v1alpha1,
};
pub use self::cluster::{
    addon_placement_score, cluster_claim, cluster_profile, managed_cluster, managed_cluster_set, placement,
    rollout_strategy,
};
pub use self::declaration::is_declaration;
pub use self::work::{applied_manifest_work, manifest_work, manifest_work_replica_set};
