//! The status of a ClusterManagementAddOn.

pub mod default_config;
pub mod install;
pub mod progression;
pub(super) mod tally;
