//! The typed repository of one revision.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::complaint::Complaint;
use super::control::Controls;
use super::links::hub_roles::HubPermission;
use super::operator::OperatorRules;
use super::policies::PlanPolicy;
use super::settings::Settings;
use super::unit::Unit;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::Placement;
use tidegate_api::rollout_policy::RolloutPolicy;
use tidegate_kustomize::overlay;
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;
use tidegate_model::followed::Rejection;
use tidegate_model::name::{ApplicationName, ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;

/// The sound objects that the files of one revision declare.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Repository {
    /// The settings of the repository.
    pub settings: Settings,
    /// What the operator lets it do on the hub.
    pub operator: Arc<OperatorRules>,
    /// All declared objects without errors of their own.
    pub objects: Shared<BTreeMap<ObjectKey, Declared>>,
    /// The units that are not blocked, and those that are held.
    pub addons: Shared<BTreeMap<UnitName, Unit>>,
    /// The Placements, typed.
    pub placements: BTreeMap<NamespacedName, Arc<Placement>>,
    /// The ManagedClusterSets by name, typed.
    pub cluster_sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    /// The ManagedClusterSetBindings, typed.
    pub cluster_set_bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    /// The ManagedClusters, typed.
    pub clusters: Shared<BTreeMap<ClusterName, Arc<ManagedCluster>>>,
    /// The RolloutPolicies by name, typed.
    pub policies: BTreeMap<String, Arc<RolloutPolicy>>,
    /// The add-ons that are blocked by errors, with these errors.
    ///
    /// # Shape
    /// The lists are never empty. An add-on that is here but not in [`Repository::held`] is absent.
    pub blocked: BTreeMap<UnitName, Vec<Complaint>>,
    /// The blocked add-ons that are kept as in their last good revision.
    pub held: BTreeMap<UnitName, Held>,
    /// The applications that are not rolled out, each with its place. Clusters keep what they have of them.
    ///
    /// # Shape
    /// None of them is in [`Repository::addons`] or [`Repository::held`]. One with errors is in [`Repository::blocked`] as well.
    pub candidates: BTreeMap<UnitName, Place>,
    /// The published revisions of applications without errors.
    pub revisions: BTreeMap<NamespacedName, Published>,
    /// Revisions that earlier commits published, and that this one does not have, or has with another digest.
    pub former_revisions: BTreeMap<NamespacedName, Published>,
    /// The decisions about rollouts, from the control files. They are always those of the newest revision, also for held add-ons.
    pub controls: Controls,
    /// The add-ons whose digest was rejected because its rollout failed.
    pub rollbacks: BTreeMap<UnitName, Rollback>,
    /// Files and directories that could not be read completely, or contain an object that could not be identified. If this set
    /// contains [`super::SETTINGS_FILE`], nothing of the revision could be used.
    pub unreadable_files: BTreeSet<String>,
    /// The policies in `policies/`; `None` if they are not known, because one of them has an error or the settings cannot be read.
    pub plan_policies: Option<Vec<PlanPolicy>>,
    /// The files and directories that were read to render an overlay, including those that were looked for but do not exist;
    /// `None` for a directory of plain objects, and for an overlay that could not be rendered.
    pub read: Option<BTreeSet<String>>,
    /// The files and directories that were read for the overlays and charts of components, like [`Repository::read`].
    pub overlays: BTreeSet<String>,
    /// Whether a missing object may be treated as removed; `false` while there is an error in anything but control files.
    pub may_prune: bool,
}

impl Repository {
    /// Returns the digest of an add-on: a hash of what the revision that is in force for it means for its rollout. It is the digest of its
    /// last good revision if the add-on is held, and `None` if the repository has no such add-on.
    pub fn digest(&self, addon: &UnitName) -> Option<&Digest> {
        self.addons.get(addon).map(|addon| &addon.digest)
    }

    /// Returns `true` if everything is the same except for the units and the declared objects, which are compared one by one.
    pub fn is_same_ground(&self, other: &Self) -> bool {
        let Self {
            settings,
            operator,
            objects: _,
            addons: _,
            placements,
            cluster_sets,
            cluster_set_bindings,
            clusters,
            policies,
            blocked,
            held,
            candidates,
            revisions,
            former_revisions,
            controls,
            rollbacks,
            unreadable_files,
            plan_policies,
            read,
            overlays,
            may_prune,
        } = self;
        *settings == other.settings
            && *operator == other.operator
            && *placements == other.placements
            && *cluster_sets == other.cluster_sets
            && *cluster_set_bindings == other.cluster_set_bindings
            && *clusters == other.clusters
            && *policies == other.policies
            && *blocked == other.blocked
            && *held == other.held
            && *candidates == other.candidates
            && *revisions == other.revisions
            && *former_revisions == other.former_revisions
            && *controls == other.controls
            && *rollbacks == other.rollbacks
            && *unreadable_files == other.unreadable_files
            && *plan_policies == other.plan_policies
            && *read == other.read
            && *overlays == other.overlays
            && *may_prune == other.may_prune
    }

    /// Returns `true` if works of applications matter: applications are read, or one is held at a revision in which they were.
    pub fn has_applications(&self) -> bool {
        self.settings.applications.enabled || self.addons.keys().any(|unit| unit.addon().is_none())
    }

    /// Returns `true` if a change of a file may change a rendered overlay; `None` if it does not change what a component has from elsewhere, and the
    /// declarations are no overlay.
    pub fn may_change(&self, file: &str) -> Option<bool> {
        let of_component = overlay::may_change(&self.overlays, file);
        let of_declarations = self.read.as_ref().map(|read| overlay::may_change(read, file));
        if of_component { Some(true) } else { of_declarations }
    }
}

/// A published revision of an application.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// The application that was published.
    pub application: ApplicationName,
    /// The digest of its content.
    pub digest: Digest,
    /// The place where it starts.
    pub place: Place,
}

/// An object as declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Declared {
    /// The object as it is applied, without defaults; v1beta1 in the add-on group.
    pub object: Arc<Value>,
    /// The place where it starts.
    pub place: Place,
}

/// An add-on that is held at its last good revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// The errors that block it.
    pub complaints: Vec<Complaint>,
    /// The objects that come from its last good revision.
    pub objects: BTreeSet<ObjectKey>,
}

/// A revision as read: the sound part, and the complaints about the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The sound part.
    pub repository: Repository,
    /// All complaints.
    ///
    /// # Shape
    /// Sorted by place, then message.
    pub complaints: Vec<Complaint>,
    /// The roles on the hub that the templates give to agents.
    pub hub_permissions: Vec<HubPermission>,
}

/// What becomes of an add-on whose digest was rejected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rollback {
    /// What failed.
    pub rejection: Rejection,
    /// Why the add-on is not rolled back. If this is empty, it is in force as it was at its last good digest.
    pub refused: Vec<String>,
}
