//! What Tidegate needs from its surroundings: its permissions on a hub.

mod permission;
mod role;

pub use permission::{Need, PERMISSIONS, Permission, Proof};
pub use role::manifests;
