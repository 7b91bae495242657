//! What an entry records besides the report.

use super::fleet::FleetFacts;
use super::pulls::PullFacts;
use tidegate_model::followed::RevisionFacts;
use tidegate_model::rewind::Rewind;
use tidegate_model::time::Timestamp;

/// What an entry records besides the report: the followed revision, and the hub itself.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// What is known of the followed revision.
    pub revision: RevisionFacts,
    /// When the hub was looked at for the report; `None` if that is not known.
    pub looked: Option<Timestamp>,
    /// Objects that the hub refused, and those that belong to another instance.
    pub failures: Vec<String>,
    /// What people should know about the agents on the hub. It keeps no revision from being applied.
    pub notices: Vec<String>,
    /// The highest resourceVersion seen on the hub.
    pub hub_version: Option<u64>,
    /// The last time that the hub was found in an older state than before, since the process started.
    pub rewind: Option<Rewind>,
    /// The pull requests on the forge.
    pub pulls: PullFacts,
    /// The fleet.
    pub fleet: FleetFacts,
}
