//! What a plan is made from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::ownership::{Ownership, Proof};
use super::report::{ClusterReport, Report};
use crate::repository::{Archive, Repository};
use tidegate_api::fleet::Fleet;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::instance::Instance;
use tidegate_model::name::{AddonName, ClusterName, NamespacedName};
use tidegate_model::object::{GroupKind, ObjectKey};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Who chooses the clusters of a Placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlacementMode {
    /// Tidegate does, and writes the PlacementDecisions: for hubs without a scheduler, and for the sandbox.
    Builtin,
    /// The hub's own scheduler does; its PlacementDecisions are read.
    Hub,
}

/// What a plan is made from: what should be, what is, and the moment.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// What should be.
    pub repository: &'a Repository,
    /// What is: one consistent observation.
    pub fleet: &'a Fleet,
    /// Group and kind of declared objects of which nothing is known, since the hub does not serve or show them.
    pub unobserved: &'a BTreeSet<GroupKind>,
    /// Who chooses clusters.
    pub placement_mode: PlacementMode,
    /// Who plans: what bears another mark is not written.
    pub instance: &'a Instance,
    /// The revision that was seen last; a removal that is held is confirmed by its name.
    pub revision: Option<&'a CommitId>,
    /// What was found and decided before.
    pub past: &'a Past,
    /// The configurations of earlier revisions, which clusters that wait still have.
    pub archive: &'a Archive,
    /// The moment.
    pub now: Timestamp,
}

impl<'a> Input<'a> {
    /// Returns what decides whose objects are.
    pub fn ownership(&self) -> Ownership<'a> {
        Ownership { instance: self.instance, adopt: &self.repository.settings.adopt, proof: &self.past.proof }
    }
}

/// What was found and decided before, by this process or, after a restart, as the journal has it.
///
/// Decisions on removals depend on it: in which group a cluster was that no placement selects any longer, and which removals were held.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// What the journal proves that this instance wrote before it had an identity.
    pub proof: Proof,
    /// The last report.
    pub report: Arc<Report>,
    /// The last complete reading of each Placement's decisions, where the hub's own scheduler writes them.
    pub readings: Readings,
    /// Decisions that were made for a Placement that somebody had changed. They count only once they have changed again.
    pub distrusted: Distrusted,
    /// What others have added to declared objects, with how often it was taken out in a row.
    pub drifts: Drifts,
}

/// By object: the fields, and how often they were taken out in a row.
pub type Drifts = BTreeMap<ObjectKey, (BTreeSet<String>, u32)>;

/// By Placement: the declared `spec` at that time, and the groups that the decisions held.
pub type Distrusted = BTreeMap<NamespacedName, (Value, Vec<DecisionGroup>)>;

/// Decision groups by Placement.
pub type Readings = BTreeMap<NamespacedName, Vec<DecisionGroup>>;

impl Past {
    /// Returns what was last reported of an add-on on a cluster.
    pub fn cluster(&self, addon: &AddonName, cluster: &ClusterName) -> Option<&ClusterReport> {
        self.report.addons.get(addon)?.clusters.get(cluster)
    }
}
