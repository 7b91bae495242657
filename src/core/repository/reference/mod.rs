//! What objects refer to: other objects, and permissions on the hub.

pub(super) mod hub_permissions;
pub(super) mod renames;
pub(super) mod target;
