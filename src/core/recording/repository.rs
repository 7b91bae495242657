//! What has changed in the repository that is in force.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::Placement;
use tidegate_api::rollout_policy::RolloutPolicy;
use tidegate_consent::People;
use tidegate_model::diagnostic::Place;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;
use tidegate_repository::control::Controls;
use tidegate_repository::{
    Complaint, Declared, Held, OperatorRules, PlanPolicy, Published, Repository, Rollback, Settings, Unit,
};

use crate::tracked::{Tracked, fields, whole};

whole!(
    OperatorRules,
    RolloutPolicy,
    Declared,
    Unit,
    Controls,
    Held,
    Rollback,
    Place,
    Published,
    Vec<Complaint>,
    Option<Vec<PlanPolicy>>,
    Option<BTreeSet<String>>
);

/// The people and a limit of rendering are not among the fields of settings that are written as data.
impl Tracked for Settings {
    type Change = (Self, People, usize);

    fn change(&self, before: Option<&Self>) -> Option<Self::Change> {
        (before != Some(self)).then(|| (self.clone(), self.people.clone(), self.render.max_work))
    }

    fn changed(_: Option<Self>, (mut settings, people, max_work): Self::Change) -> Option<Self> {
        settings.people = people;
        settings.render.max_work = max_work;
        Some(settings)
    }
}

fields!(Repository as RepositoryChange {
    settings: Settings,
    operator: Arc<OperatorRules>,
    objects: Shared<BTreeMap<ObjectKey, Declared>>,
    addons: Shared<BTreeMap<UnitName, Unit>>,
    placements: BTreeMap<NamespacedName, Arc<Placement>>,
    cluster_sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    cluster_set_bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    clusters: Shared<BTreeMap<ClusterName, Arc<ManagedCluster>>>,
    policies: BTreeMap<String, Arc<RolloutPolicy>>,
    blocked: BTreeMap<UnitName, Vec<Complaint>>,
    held: BTreeMap<UnitName, Held>,
    candidates: BTreeMap<UnitName, Place>,
    revisions: BTreeMap<NamespacedName, Published>,
    former_revisions: BTreeMap<NamespacedName, Published>,
    controls: Controls,
    rollbacks: BTreeMap<UnitName, Rollback>,
    unreadable_files: BTreeSet<String>,
    plan_policies: Option<Vec<PlanPolicy>>,
    read: Option<BTreeSet<String>>,
    overlays: BTreeSet<String>,
    may_prune: bool,
});
