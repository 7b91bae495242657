//! The types of the journal's documents, for writing and reading.

mod addon;
mod cluster;
pub(crate) mod decision;
mod gate;
mod hold;
mod hub;
mod placement;
mod rollout;
mod sync;

pub use addon::{AddonStatus, decided_by};
pub use cluster::Clusters;
pub use decision::{Approval, Decision, PolicyVerdict};
pub use gate::{ApprovalRecord, GateRecord};
pub use hold::HoldRecord;
pub use hub::{HubRecord, WentBack};
pub use placement::{ConfigRecord, GroupRecord, PlacementRecord, VersionRecord};
pub use rollout::{Cause, Confirmation, Followed, Outcome, Rollout, SealedCluster, SealedRollout};
pub use sync::{Identity, Sync};

pub use tidegate_model::document::API_VERSION;
pub use tidegate_plan::report::ClusterReport;
