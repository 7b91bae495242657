//! The kinds of `work.open-cluster-management.io`.

pub mod applied_manifest_work;
pub mod manifest_work;
pub mod manifest_work_replica_set;
