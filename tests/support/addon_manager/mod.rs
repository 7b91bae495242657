//! A stand-in of OCM's add-on manager, which runs against the embedded API server.
//!
//! It does what the add-on manager does: each controller decides from what it has observed, and writes after a short delay. If the
//! object has changed since, the hub refuses the write and the controller decides again. The statuses that this results in, also those
//! that are wrong for a moment, are compared with a recorded run of the add-on manager in `tests/addon_manager`.
//!
//! `AddonManager::new(now).start(sandbox.client())` starts it. `control` changes its delays and what it does, `writes` and `counts` count
//! what it has written, and `stop` and `crash` end it.
//!
//! Not simulated: rollout strategies (all clusters of a placement start at once), the conditions of install progressions, certificates
//! and tokens of agents, hosted mode, annotations that ManagedClusterAddOns inherit, and the manager of an add-on that continues after its
//! ClusterManagementAddOn is deleted or lists no template anymore.

mod controllers;
mod controls;
mod hub;
mod lease;
mod manager;
mod queue;
mod run;

pub(crate) use controls::{Controller, Delays, OwnManager};
pub(crate) use hub::kind::{DEPLOYMENT_CONFIG, Kind};
pub(crate) use hub::write::FIELD_MANAGER;
pub(crate) use lease::{LEASE_DURATION, LEASE_NAME, LEASE_NAMESPACE, RENEWAL};
pub(crate) use manager::{AddonManager, Running};
