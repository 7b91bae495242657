//! The fleet: a snapshot of everything observed on the hub.
//!
//! The objects are API types behind [`Arc`], and the large maps are [`Shared`], so that a snapshot of ten thousand clusters copies a few
//! pointers, and a change copies the pointers of one map. Objects of the add-on group are always v1beta1, in whatever version the hub stores
//! them.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use k8s_openapi::api::rbac::v1::RoleBinding;
use serde_json::Value;

use super::key;
use super::ocm::addon_placement_score::AddOnPlacementScore;
use super::ocm::cluster_management_addon::ClusterManagementAddOn;
use super::ocm::managed_cluster::ManagedCluster;
use super::ocm::managed_cluster_addon::ManagedClusterAddOn;
use super::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use super::ocm::manifest_work::ManifestWork;
use super::ocm::placement::{Placement, PlacementDecision};
use tidegate_model::name::{AddonName, ClusterName, InvalidName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;

/// The AddOnPlacementScores of a hub, by cluster and name.
pub type ClusterScores = BTreeMap<ClusterName, BTreeMap<String, Arc<AddOnPlacementScore>>>;

/// The ManagedClusterAddOns of one unit, by cluster.
pub type ClusterAddons = BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>;

/// The ManifestWorks of one unit, by namespace (the cluster) and name.
pub type ClusterWorks = BTreeMap<ClusterName, BTreeMap<String, Arc<ManifestWork>>>;

/// The RoleBindings of one unit, by namespace and name.
pub type NamespaceBindings = BTreeMap<String, BTreeMap<String, Arc<RoleBinding>>>;

/// A snapshot of everything observed on the hub.
///
/// # Shape
/// Maps are sorted by name. An object that could not be parsed as its type is only in [`Fleet::unreadable`].
#[derive(Debug, Clone, Default)]
pub struct Fleet {
    /// The clusters.
    pub clusters: Shared<BTreeMap<ClusterName, Arc<ManagedCluster>>>,
    /// The cluster sets, by name.
    pub cluster_sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    /// The bindings of cluster sets to namespaces.
    pub cluster_set_bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    /// The Placements.
    pub placements: BTreeMap<NamespacedName, Arc<Placement>>,
    /// The PlacementDecisions.
    pub decisions: BTreeMap<NamespacedName, Arc<PlacementDecision>>,
    /// The AddOnPlacementScores, by cluster and name.
    pub scores: ClusterScores,
    /// The ClusterManagementAddOns.
    pub addons: BTreeMap<AddonName, Arc<ClusterManagementAddOn>>,
    /// The ManagedClusterAddOns, by add-on and cluster.
    pub cluster_addons: BTreeMap<UnitName, Shared<ClusterAddons>>,
    /// The ManifestWorks with the label of a unit, by unit, namespace (the cluster) and name.
    pub works: BTreeMap<UnitName, Shared<ClusterWorks>>,
    /// The RoleBindings that grant the agents of add-ons what their templates ask for, by add-on, namespace and name.
    pub role_bindings: BTreeMap<UnitName, Shared<NamespaceBindings>>,
    /// The CertificateSigningRequests of the agents of add-ons, by name.
    pub requests: BTreeMap<String, Arc<CertificateSigningRequest>>,
    /// The objects with which agents request tokens, as JSON.
    pub tokens: BTreeMap<ObjectKey, Arc<Value>>,
    /// Every object that has the ownership label or a declared kind, as JSON, for comparison with the declared objects.
    pub declared: Shared<BTreeMap<ObjectKey, Arc<Value>>>,
    /// Objects that could not be parsed as their kind, with the reason.
    pub unreadable: BTreeMap<ObjectKey, String>,
}

/// Returns the unit that a ManifestWork belongs to; `None` if it belongs to none. Works of add-ons have a label with the name, those of other
/// units a label and an annotation.
///
/// # Errors
/// [`InvalidName`] if the name is not valid.
pub fn unit_of_work(work: &Value) -> Result<Option<UnitName>, InvalidName> {
    let text = |member: &str, name: &str| work.get("metadata")?.get(member)?.get(name)?.as_str();
    if let Some(addon) = text("labels", key::ADDON_NAME) {
        return addon.parse().map(UnitName::AddOn).map(Some);
    }
    match text("labels", key::UNIT_LABEL).and_then(|_| text("annotations", key::UNIT)) {
        Some(unit) => unit.to_owned().try_into().map(UnitName::Application).map(Some),
        None => Ok(None),
    }
}
