//! A rollout unit: what declares it, what its clusters get, and in which order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::recipe::Recipe;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::cluster_management_addon::{self, ClusterManagementAddOn, InstallStrategy, PlacementStrategy};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;
use tidegate_model::name::{AddonName, ApplicationName, ClusterName, NamespacedName, UnitName};

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
    /// What each cluster gets; `None` if that does not depend on the cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_cluster: Option<PerCluster>,
}

/// What each cluster gets of a unit whose definitions read `context.cluster`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PerCluster {
    /// What the content is rendered from; `None` if it was rendered elsewhere.
    #[serde(skip)]
    pub(crate) recipe: Option<Arc<Recipe>>,
    /// What each cluster gets of each part of the unit. Nothing is known about other clusters.
    pub(crate) clusters: BTreeMap<ClusterName, Arc<Vec<Given>>>,
}

impl PerCluster {
    fn given(&self, part: usize, cluster: &ClusterName) -> Option<&Given> {
        self.clusters.get(cluster)?.get(part)
    }

    /// Returns `true` if a cluster gets a content of any part.
    pub fn has(&self, reference: &ConfigReference, cluster: &ClusterName) -> bool {
        let given = self.clusters.get(cluster).into_iter().flat_map(|given| given.iter());
        given.into_iter().any(|given| matches!(given, Given::Content(known) if known == reference))
    }

    /// Returns the contents that any cluster gets of the part with an index, each once.
    pub(crate) fn contents(&self, part: usize) -> BTreeSet<&ConfigReference> {
        self.clusters.keys().filter_map(|cluster| self.content(part, cluster)).collect()
    }

    /// Returns the content that a cluster gets of the part with an index; `None` if it gets none.
    pub fn content(&self, part: usize, cluster: &ClusterName) -> Option<&ConfigReference> {
        match self.given(part, cluster) {
            Some(Given::Content(reference)) => Some(reference),
            Some(Given::Refused(_)) | None => None,
        }
    }
}

/// What a cluster gets of a part of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// This content.
    Content(ConfigReference),
    /// It keeps what it has: its content cannot be rendered, or has an error.
    Refused(String),
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
    /// The name of the step of each placement, for people. It has no effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// The units that a cluster must have, done and healthy, before it starts.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub requires: BTreeSet<UnitName>,
    /// The revisions that it delivers, by name in its namespace, each with the application that was published; none for an Application, which
    /// delivers itself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub revisions: BTreeMap<String, ApplicationName>,
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OverlapKind")]
pub enum Overlap {
    /// It belongs to the last part.
    #[default]
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

    /// Returns the units that a cluster must have, done and healthy, before it starts.
    pub fn requires(&self) -> &BTreeSet<UnitName> {
        static NONE: BTreeSet<UnitName> = BTreeSet::new();
        match &self.source {
            Source::AddOn { .. } => &NONE,
            Source::Application(application) => &application.requires,
        }
    }

    /// Returns the applications whose revisions it delivers.
    pub fn published(&self) -> impl Iterator<Item = &ApplicationName> {
        let revisions = match &self.source {
            Source::AddOn { .. } => None,
            Source::Application(application) => Some(&application.revisions),
        };
        revisions.into_iter().flat_map(BTreeMap::values)
    }

    /// Returns the applications whose objects it delivers: those of its revisions, or itself.
    pub fn applications(&self) -> impl Iterator<Item = &ApplicationName> {
        let itself = match &self.source {
            Source::Application(application) if application.revisions.is_empty() => Some(&application.name),
            Source::AddOn { .. } | Source::Application(_) => None,
        };
        self.published().chain(itself)
    }

    /// Returns what becomes of a cluster that several parts select.
    pub fn overlap(&self) -> Overlap {
        match &self.source {
            Source::AddOn { .. } => Overlap::Last,
            Source::Application(application) if application.revisions.is_empty() => Overlap::First,
            Source::Application(_) => Overlap::Neither,
        }
    }

    /// Returns when the part with an index has its turn.
    pub fn turn(&self, part: usize) -> Turn {
        self.order().get(part).copied().unwrap_or_default()
    }

    /// Returns the name of the step of the part with an index; empty for an add-on, which has no steps.
    pub fn step(&self, part: usize) -> &str {
        match &self.source {
            Source::AddOn { .. } => "",
            Source::Application(application) => application.steps.get(part).map(String::as_str).unwrap_or_default(),
        }
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

    /// Returns what a cluster gets of the part with an index; `None` if that does not depend on the cluster.
    ///
    /// # Errors
    /// Why it gets nothing, as a sentence without a full stop: its content has an error, or nothing is known about the cluster.
    pub fn given(&self, part: usize, cluster: &ClusterName) -> Result<Option<&ConfigReference>, &str> {
        let Some(per_cluster) = &self.per_cluster else { return Ok(None) };
        match per_cluster.given(part, cluster) {
            Some(Given::Content(reference)) => Ok(Some(reference)),
            Some(Given::Refused(why)) => Err(why),
            None => Err("what it gets depends on the cluster, about which nothing is known"),
        }
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
