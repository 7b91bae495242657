//! The typed repository of one revision.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;

use super::complaint::Complaint;
use super::control::Controls;
use super::links::hub_roles::HubPermission;
use super::operator::OperatorRules;
use super::policies::PlanPolicy;
use super::settings::Settings;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::cluster_management_addon::{self, ClusterManagementAddOn, InstallStrategy, PlacementStrategy};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::Placement;
use tidegate_api::rollout_policy::RolloutPolicy;
use tidegate_kustomize::overlay;
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;
use tidegate_model::followed::Rejection;
use tidegate_model::name::{AddonName, ApplicationName, ClusterName, NamespacedName, UnitName};
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
    /// Whether a missing object may be treated as removed; `false` while there is an error in anything but control files.
    pub may_prune: bool,
}

impl Repository {
    /// Returns the digest of an add-on: a hash of what the revision that is in force for it means for its rollout. It is the digest of its
    /// last good revision if the add-on is held, and `None` if the repository has no such add-on.
    pub fn digest(&self, addon: &UnitName) -> Option<&Digest> {
        self.addons.get(addon).map(|addon| &addon.digest)
    }

    /// Returns `true` if works of applications matter: applications are read, or one is held at a revision in which they were.
    pub fn has_applications(&self) -> bool {
        self.settings.applications.enabled || self.addons.keys().any(|unit| unit.addon().is_none())
    }

    /// Returns `true` if a change of a file may change the rendered overlay; `None` if no overlay was rendered.
    pub fn may_change(&self, file: &str) -> Option<bool> {
        self.read.as_ref().map(|read| overlay::may_change(read, file))
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

/// A rollout unit with everything that its rollout depends on, except placements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// What declares it.
    pub source: Source,
    /// The objects that the unit or its overrides refer to, if they are in the repository.
    pub configurations: BTreeMap<ConfigReference, Configuration>,
    /// The declared ManagedClusterAddOns by cluster, with defaults.
    pub overrides: BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>,
    /// The hash of what the revision of the unit means for it.
    pub digest: Digest,
}

/// What declares a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Source {
    /// A ClusterManagementAddOn.
    AddOn {
        /// Its name.
        name: AddonName,
        /// The object, with defaults.
        declaration: Arc<ClusterManagementAddOn>,
    },
    /// An Application or an AppDeployment.
    Application(Arc<Application>),
}

/// An application as a rollout unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Application {
    /// Its name.
    pub name: ApplicationName,
    /// Its labels and annotations.
    pub metadata: ObjectMeta,
    /// Its placements, each with a rollout strategy.
    pub strategy: InstallStrategy,
    /// When each placement has its turn.
    #[serde(default)]
    pub order: Vec<Turn>,
    /// The names of the revisions that it delivers, in its namespace; none for an Application, which delivers itself.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub revisions: BTreeSet<String>,
    /// The units that a cluster must have, done and healthy, before it starts.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub requires: BTreeSet<UnitName>,
    /// What clusters get unless their placement names something else: the application without what it says about clusters.
    pub content: Vec<ConfigReference>,
    /// The place where it starts.
    pub place: Place,
}

/// When a part of a rollout has its turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The index of its step. Clusters start once those of all earlier steps are done.
    pub step: usize,
    /// Whether later steps start although it selects no clusters.
    pub may_be_empty: bool,
}

/// What becomes of a cluster that several parts of a unit select.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// It belongs to the last part.
    Last,
    /// It belongs to the first part: those of an Application have their turns in order, and the clusters of a later step include those of an
    /// earlier one.
    First,
    /// It keeps what it has: the entries of an AppDeployment say different things about it.
    Neither,
}

impl Unit {
    /// Returns when each part has its turn; empty for an add-on, all parts of which have it at once.
    pub(crate) fn order(&self) -> &[Turn] {
        match &self.source {
            Source::AddOn { .. } => &[],
            Source::Application(application) => &application.order,
        }
    }

    /// Returns what becomes of a cluster that several parts select.
    pub fn overlap(&self) -> Overlap {
        match &self.source {
            Source::AddOn { .. } => Overlap::Last,
            Source::Application(application) if application.revisions.is_empty() => Overlap::First,
            Source::Application(_) => Overlap::Neither,
        }
    }

    /// Returns the units that a cluster must have, done and healthy, before it starts.
    pub fn requires(&self) -> &BTreeSet<UnitName> {
        static NONE: BTreeSet<UnitName> = BTreeSet::new();
        match &self.source {
            Source::AddOn { .. } => &NONE,
            Source::Application(application) => &application.requires,
        }
    }

    /// Returns when the part with an index has its turn.
    pub fn turn(&self, part: usize) -> Turn {
        self.order().get(part).copied().unwrap_or_default()
    }

    /// Returns the name of its ClusterManagementAddOn; `None` if the unit is not an add-on.
    pub fn addon_name(&self) -> Option<&AddonName> {
        match &self.source {
            Source::AddOn { name, .. } => Some(name),
            Source::Application(_) => None,
        }
    }

    /// Returns the labels and annotations of what declares it.
    pub fn metadata(&self) -> &ObjectMeta {
        match &self.source {
            Source::AddOn { declaration, .. } => &declaration.metadata,
            Source::Application(application) => &application.metadata,
        }
    }

    /// Returns the configurations that all clusters have unless another layer names others, as written.
    pub fn defaults(&self) -> &[ConfigReference] {
        match &self.source {
            Source::AddOn { declaration, .. } => &declaration.spec.default_configs,
            Source::Application(application) => &application.content,
        }
    }

    /// Returns how its clusters are chosen, as written.
    pub fn install_strategy(&self) -> Option<&InstallStrategy> {
        match &self.source {
            Source::AddOn { declaration, .. } => declaration.spec.install_strategy.as_ref(),
            Source::Application(application) => Some(&application.strategy),
        }
    }

    /// Returns `true` if its clusters are chosen by hand and not by placements.
    pub fn is_manual(&self) -> bool {
        cluster_management_addon::is_manual(self.install_strategy())
    }

    /// Returns the parts of its rollout in order, as written: each is a Placement with a rollout strategy and configurations.
    pub fn parts(&self) -> &[PlacementStrategy] {
        self.install_strategy().map(|strategy| strategy.placements.as_slice()).unwrap_or_default()
    }

    /// Returns the hash of a configuration.
    ///
    /// The hash is empty for an object that is not in the repository. No cluster ever completes with an empty hash, but the loader
    /// blocks such a unit anyway.
    pub fn spec_hash(&self, reference: &ConfigReference) -> String {
        self.configurations.get(reference).map(|config| config.spec_hash.clone()).unwrap_or_default()
    }

    /// Returns the Placements of its parts.
    pub fn placements(&self) -> impl Iterator<Item = NamespacedName> {
        self.parts().iter().map(PlacementStrategy::reference)
    }
}

/// A configuration object and its hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// The object with defaults, as an API server would return it.
    pub object: Arc<Value>,
    /// The hash of its spec.
    pub spec_hash: String,
    /// Its spec, typed, if it is an AddOnDeploymentConfig.
    pub deployment_config: Option<Arc<AddOnDeploymentConfigSpec>>,
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
