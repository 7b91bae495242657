//! The status of a ManagedClusterAddOn.

pub mod configured;
pub mod hosting;
pub mod merge;
pub mod overdue;
pub mod progress;
pub mod proof;
pub mod state;
pub mod supported;
pub mod works;
