//! What the commands print, and how.

pub(super) mod age;
pub(super) mod cluster_table;
pub(super) mod document;
pub(super) mod live_table;
pub(super) mod status_table;
pub(super) mod stdout;
pub(super) mod timeline;
