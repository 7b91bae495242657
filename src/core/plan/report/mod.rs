//! The state of every add-on and cluster, and why: the only source for the journal, the command line and every page.

pub(super) mod builder;
mod cluster;
pub(super) mod departure;
pub(super) mod gates;
mod health;
pub(super) mod hold;
pub(super) mod missing;
pub(super) mod obstacle;
pub(super) mod reason;
mod types;
mod unstarted;

pub use self::cluster::{ClusterReport, UNREACHABLE};
pub use self::health::lasting;
pub use self::types::{
    AddonReport, ApprovalReport, ConfigReport, ConfigVersion, DETACHED, GateReport, GroupReport, PlacementReport,
    ROLLED_BACK, Report, digest,
};
