//! The kinds of `addon.open-cluster-management.io`.

pub mod addon_deployment_config;
pub mod addon_template;
pub mod cluster_management_addon;
pub mod config_reference;
pub mod convert;
pub mod managed_cluster_addon;
pub mod v1alpha1;
