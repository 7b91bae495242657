//! What Tidegate needs from its surroundings, and whether it has it: the permissions on a hub, and the checks of `tidegate doctor`.
//!
//! [`examine`] turns [`Facts`] into one [`Line`] for each check. The command collects the facts.

mod checks;
mod covered;
pub mod facts;
mod line;
mod permission;
mod role;

pub use checks::{conversion, examine};
pub use covered::missing;
pub use facts::{Facts, Known, Unknown};
pub use line::{Level, Line};
pub use permission::{Need, PERMISSIONS, Permission, Proof};
pub use role::manifests;
