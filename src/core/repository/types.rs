//! The typed repository of one revision.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::complaint::{Complaint, Place};
use super::settings::Settings;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::Placement;
use tidegate_kustomize::overlay;
use tidegate_model::name::{AddonName, ClusterName, NamespacedName};
use tidegate_model::object::ObjectKey;

/// What the files of one revision declare, as far as it is sound.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Repository {
    /// The settings of the repository.
    pub settings: Settings,
    /// Every declared object without an error of its own.
    pub objects: BTreeMap<ObjectKey, Declared>,
    /// The add-ons that nothing blocks; those that are held included.
    pub addons: BTreeMap<AddonName, Addon>,
    /// The Placements, typed.
    pub placements: BTreeMap<NamespacedName, Arc<Placement>>,
    /// The ManagedClusterSets by name, typed.
    pub cluster_sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    /// The ManagedClusterSetBindings, typed.
    pub cluster_set_bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    /// The ManagedClusters, typed.
    pub clusters: BTreeMap<ClusterName, Arc<ManagedCluster>>,
    /// The add-ons that errors block, with these errors.
    ///
    /// # Shape
    /// Never an empty list. An add-on that is here and not in [`Repository::held`] is absent.
    pub blocked: BTreeMap<AddonName, Vec<Complaint>>,
    /// The blocked add-ons that are as in their last good revision.
    pub held: BTreeMap<AddonName, Held>,
    /// Files, or directories, of which something could not be read or identified. With [`super::SETTINGS_FILE`] among them,
    /// nothing of the revision could be taken.
    pub unreadable_files: BTreeSet<String>,
    /// The files and directories that a rendered overlay was made from, looked for in vain included; `None` for a directory of plain
    /// objects, and for an overlay that could not be rendered.
    pub read: Option<BTreeSet<String>>,
    /// Whether what is not here may be taken for removed; not while there is an error.
    pub may_prune: bool,
}

impl Repository {
    /// Returns `true` if the overlay that it was rendered from may be another one after a file has changed; `None` if there is none.
    pub fn may_change(&self, file: &str) -> Option<bool> {
        self.read.as_ref().map(|read| overlay::may_change(read, file))
    }
}

/// An object as declared.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// The object without defaults, as it is applied; v1beta1 in the add-on group.
    pub object: Arc<Value>,
    /// Where it begins.
    pub place: Place,
}

/// An add-on with everything that its rollout depends on, placements apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Addon {
    /// The ClusterManagementAddOn, with defaults.
    pub declaration: Arc<ClusterManagementAddOn>,
    /// The objects that the add-on or one of its overrides refers to, as far as they are in the repository.
    pub configurations: BTreeMap<ConfigReference, Configuration>,
    /// The declared ManagedClusterAddOns by cluster, with defaults.
    pub overrides: BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>,
}

impl Addon {
    /// Returns the hash of a configuration.
    ///
    /// An object that the repository does not have gets an empty one, with which no cluster ever completes; the loader blocks
    /// such an add-on before anybody asks.
    pub fn spec_hash(&self, reference: &ConfigReference) -> String {
        self.configurations.get(reference).map(|config| config.spec_hash.clone()).unwrap_or_default()
    }
}

/// A configuration object and its hash.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// The object with defaults, as an API server would return it.
    pub object: Arc<Value>,
    /// The hash of its spec.
    pub spec_hash: String,
}

/// How a blocked add-on is held.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The errors that block it.
    pub complaints: Vec<Complaint>,
    /// The objects that were taken from its last good revision.
    pub objects: BTreeSet<ObjectKey>,
}

/// A revision as read: what is sound, and what is wrong with the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What is sound.
    pub repository: Repository,
    /// Every complaint.
    ///
    /// # Shape
    /// Sorted by place, then message.
    pub complaints: Vec<Complaint>,
}
