//! What a plan is made from.

use std::collections::BTreeSet;
use std::sync::Arc;

use tidegate_api::fleet::Fleet;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::followed::RevisionFacts;
use tidegate_model::instance::Instance;
use tidegate_model::object::GroupKind;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::{Input, Past, PlacementMode};
use tidegate_repository::{Archive, Repository};
use tidegate_rollout::gate::checks::Observations;

use crate::tracked::{fields, whole};

/// What a plan is made from, except the time.
///
/// A clone shares the large parts.
#[derive(Debug, Clone)]
pub struct Moment {
    /// What is in force.
    pub repository: Repository,
    /// What the hub showed.
    pub fleet: Fleet,
    /// The kinds that could not be observed.
    pub unobserved: BTreeSet<GroupKind>,
    /// Who chose clusters.
    pub placement_mode: PlacementMode,
    /// Who delivered.
    pub delivery: Delivery,
    /// The instance.
    pub instance: Instance,
    /// The revision that was seen last.
    pub revision: Option<CommitId>,
    /// The results of earlier plans.
    pub past: Past,
    /// The configurations of earlier revisions.
    pub archive: Arc<Archive>,
    /// The approvals.
    pub approvals: Arc<Approvals>,
    /// What checks measured.
    pub observations: Arc<Observations>,
    /// What was known of the revision. No plan depends on it; the journal reports it.
    pub facts: Arc<RevisionFacts>,
}

impl Moment {
    /// Returns the parts of an input.
    pub fn of(input: &Input<'_>, facts: Arc<RevisionFacts>) -> Self {
        Self {
            repository: input.repository.clone(),
            fleet: input.fleet.clone(),
            unobserved: input.unobserved.clone(),
            placement_mode: input.placement_mode,
            delivery: input.delivery,
            instance: input.instance.clone(),
            revision: input.revision.cloned(),
            past: input.past.clone(),
            archive: Arc::new(input.archive.clone()),
            approvals: Arc::new(input.approvals.clone()),
            observations: Arc::new(input.observations.clone()),
            facts,
        }
    }

    /// Returns the input of the plan at a time.
    pub fn input(&self, now: Timestamp) -> Input<'_> {
        Input {
            repository: &self.repository,
            fleet: &self.fleet,
            unobserved: &self.unobserved,
            placement_mode: self.placement_mode,
            delivery: self.delivery,
            instance: &self.instance,
            revision: self.revision.as_ref(),
            past: &self.past,
            archive: &self.archive,
            approvals: &self.approvals,
            observations: &self.observations,
            now,
        }
    }
}

whole!(
    BTreeSet<GroupKind>,
    PlacementMode,
    Delivery,
    Instance,
    Option<CommitId>,
    Archive,
    Approvals,
    Observations,
    RevisionFacts,
);

fields!(Moment as MomentChange {
    repository: Repository,
    fleet: Fleet,
    unobserved: BTreeSet<GroupKind>,
    placement_mode: PlacementMode,
    delivery: Delivery,
    instance: Instance,
    revision: Option<CommitId>,
    past: Past,
    archive: Arc<Archive>,
    approvals: Arc<Approvals>,
    observations: Arc<Observations>,
    facts: Arc<RevisionFacts>,
});
