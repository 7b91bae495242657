//! What the commands print, and how.

pub(super) mod age;
pub(super) mod application_table;
pub(super) mod cluster_table;
mod columns;
pub(super) mod document;
pub(super) mod fleet_table;
pub(super) mod live_table;
pub(super) mod policy_table;
pub(super) mod revision_table;
pub(super) mod rollout_details;
pub(super) mod screen;
pub(super) mod status_table;
pub(super) mod timeline;
