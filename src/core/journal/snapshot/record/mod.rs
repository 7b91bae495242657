//! The types of `fleet.yaml`, for writing and reading.

mod availability;
mod cluster;
mod configuration;
mod hub;
mod installed;
mod owner;
mod snapshot;

pub use self::availability::Availability;
pub use self::cluster::{Cluster, Scores};
pub use self::configuration::Configuration;
pub use self::hub::{Group, HubAddon, HubObject, HubPlacement, Unreadable};
pub use self::installed::{Installed, InstalledState, NEVER_APPLIED};
pub use self::owner::Owner;
pub(super) use self::snapshot::KIND;
pub use self::snapshot::Snapshot;

/// Returns `true` if a flag is not set, so that it is left out of the document.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_unset(flag: &bool) -> bool {
    !*flag
}
