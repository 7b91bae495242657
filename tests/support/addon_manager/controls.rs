//! What a test can change about the stand-in while it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::upstream::hub::kind::Kind;

/// A controller of OCM's add-on manager, in the order in which they write if they decide at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Controller {
    /// Lists the default configurations and the placements of an add-on in its status, without hashes at first.
    InstallProgression,
    /// Fills the hashes into the status of an add-on.
    AddonHashes,
    /// Rewrites lifecycle `self`.
    Lifecycle,
    /// Creates and deletes ManagedClusterAddOns for the decisions of placements.
    Installation,
    /// Sets condition `Progressing` and the last applied configurations of a cluster.
    Progressing,
    /// Sets the owner of a ManagedClusterAddOn.
    Owner,
    /// Assigns configurations to a cluster, and sets condition `Configured`.
    Configuration,
    /// Fills hashes and generations into the status of a cluster.
    ClusterHashes,
    /// Sets supported configurations, registrations and condition `RegistrationApplied`, and writes RoleBindings.
    Registration,
    /// The second half of [`Self::Deploy`] if works were written: their conditions, as they were before.
    DeployStatus,
    /// Renders and writes works, and sets their conditions and finalizers.
    Deploy,
}

/// The time between a decision of a controller and its write.
///
/// In this time, a status shows what no longer holds. The longer one controller waits, the longer its part of the status is wrong.
#[derive(Debug, Clone)]
pub(crate) struct Delays {
    /// The delay of every controller that has none of its own.
    pub(crate) usual: Duration,
    /// The delay until a work that is missing is created.
    pub(crate) creation: Duration,
    /// The delays of single controllers.
    pub(crate) of: BTreeMap<Controller, Duration>,
}

impl Default for Delays {
    /// About what was recorded from OCM's add-on manager.
    fn default() -> Self {
        Self { usual: Duration::from_millis(30), creation: Duration::from_millis(15), of: BTreeMap::new() }
    }
}

impl Delays {
    /// Returns the delay of a controller.
    pub(in crate::upstream) fn of(&self, controller: Controller, creates: bool) -> Duration {
        let usual = if creates { self.creation } else { self.usual };
        self.of.get(&controller).copied().unwrap_or(usual)
    }
}

/// The manager of one add-on that is not built from a template. It renders one fixed work, which contains the names of the
/// configurations.
#[derive(Debug, Clone)]
pub(crate) struct OwnManager {
    /// The add-on.
    pub(crate) addon: String,
    /// The kinds of configuration that it supports.
    pub(crate) configs: Vec<Kind>,
}

/// What a test can change about the stand-in while it runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Controls {
    /// How long each controller takes.
    pub(crate) delays: Delays,
    /// The clusters for which no works are rendered: their works stay as they are.
    pub(crate) unrendered: BTreeSet<String>,
    /// Whether `supportedConfigs` changes its order at random, as upstream's does. A new order is one more write, and makes other writes
    /// conflict.
    pub(crate) shuffles_supported_configs: bool,
    /// The managers of add-ons that are not built from templates. Their kinds are watched from the next start on.
    pub(crate) own_managers: Vec<OwnManager>,
}
