//! The state of every add-on and cluster, and why: the only source for the journal, the command line and every page.

pub(super) mod builder;
mod cause;
pub(super) mod gates;
pub(super) mod health;
pub(super) mod missing;
pub(super) mod reason;
mod types;
mod unstarted;

pub use self::health::lasting;
pub use self::types::{
    AddonReport, ApprovalReport, ClusterReport, ConfigReport, ConfigVersion, DETACHED, GateReport, GroupReport,
    PlacementReport, ROLLED_BACK, Report, UNREACHABLE, digest, version_of,
};
