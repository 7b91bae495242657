//! What has changed on a hub.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use k8s_openapi::api::rbac::v1::RoleBinding;
use serde_json::Value;
use tidegate_api::fleet::{ClusterAddons, ClusterScores, ClusterWorks, Fleet, NamespaceBindings};
use tidegate_api::ocm::addon_placement_score::AddOnPlacementScore;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::ocm::placement::{Placement, PlacementDecision};
use tidegate_model::name::{AddonName, ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;

use crate::tracked::{fields, whole};

whole!(
    AddOnPlacementScore,
    CertificateSigningRequest,
    ClusterManagementAddOn,
    ManagedCluster,
    ManagedClusterAddOn,
    ManagedClusterSet,
    ManagedClusterSetBinding,
    ManifestWork,
    Placement,
    PlacementDecision,
    RoleBinding,
    Value,
);

fields!(Fleet as FleetChange {
    clusters: Shared<BTreeMap<ClusterName, Arc<ManagedCluster>>>,
    cluster_sets: BTreeMap<String, Arc<ManagedClusterSet>>,
    cluster_set_bindings: BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    placements: BTreeMap<NamespacedName, Arc<Placement>>,
    decisions: BTreeMap<NamespacedName, Arc<PlacementDecision>>,
    scores: ClusterScores,
    addons: BTreeMap<AddonName, Arc<ClusterManagementAddOn>>,
    cluster_addons: BTreeMap<UnitName, Shared<ClusterAddons>>,
    works: BTreeMap<UnitName, Shared<ClusterWorks>>,
    role_bindings: BTreeMap<UnitName, Shared<NamespaceBindings>>,
    requests: BTreeMap<String, Arc<CertificateSigningRequest>>,
    tokens: BTreeMap<ObjectKey, Arc<Value>>,
    declared: Shared<BTreeMap<ObjectKey, Arc<Value>>>,
    unreadable: BTreeMap<ObjectKey, String>,
});
