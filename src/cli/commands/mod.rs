//! The commands, one file or folder each.

pub(super) mod adopt;
pub(super) mod approve;
pub(super) mod blame;
pub(super) mod control;
pub mod crds;
pub(super) mod demo;
pub(super) mod doctor;
pub mod examples;
pub(super) mod explain;
pub(super) mod fleet;
pub(super) mod history;
pub(super) mod oracle;
pub(super) mod plan;
pub(super) mod policy;
pub(super) mod rbac;
pub(super) mod render;
mod render_cluster;
pub(super) mod rollback;
pub(super) mod run;
pub(super) mod sandbox;
pub(super) mod schema;
pub(super) mod simulate;
pub(super) mod status;
pub(super) mod trust;
pub(super) mod validate;
pub(super) mod vendor;
pub(super) mod verify;
