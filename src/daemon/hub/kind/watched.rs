//! The watched kinds, and how the objects of each kind are stored.

use tidegate_api::key::{ADDON_GROUP, CERTIFICATES_GROUP, CLUSTER_GROUP, RBAC_GROUP, WORK_GROUP};
use tidegate_model::object::GroupKind;

/// Returns the row of a kind that is always watched, or `None` for a kind that only the repository names.
pub(in crate::hub) fn fixed(kind: &GroupKind) -> Option<&'static Fixed> {
    FIXED.iter().find(|fixed| fixed.group == kind.group && fixed.kind == kind.kind)
}

/// How the objects of a kind are stored in the fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::hub) enum Shape {
    Cluster,
    ClusterSet,
    ClusterSetBinding,
    Placement,
    Decision,
    Score,
    Addon,
    ClusterAddon,
    Work,
    /// RoleBindings of the agents of add-ons. The kind is watched only if the repository needs it.
    RoleBinding,
    /// CertificateSigningRequests of the agents of add-ons. The kind is watched only if the repository needs it.
    Request,
    /// Configurations of add-ons: stored as JSON, no matter who created them.
    Config,
    /// Any other kind: stored as JSON if the repository owns the object.
    Declared,
}

impl Shape {
    /// Returns how the objects of a kind are stored.
    pub(in crate::hub) fn of(kind: &GroupKind) -> Self {
        match (kind.group.as_str(), kind.kind.as_str()) {
            (RBAC_GROUP, "RoleBinding") => Self::RoleBinding,
            (CERTIFICATES_GROUP, "CertificateSigningRequest") => Self::Request,
            _ => fixed(kind).map_or(Self::Declared, |fixed| fixed.shape),
        }
    }

    /// Returns `true` if the JSON of every object is stored in addition to its typed form, to compare it with the declaration.
    ///
    /// For kinds with an object per cluster, JSON is stored only if the repository owns the object: 10,000 clusters with an
    /// add-on and a work each would otherwise cost a hundred megabytes that no one reads.
    pub(in crate::hub) fn keeps_json(self) -> bool {
        match self {
            Self::ClusterSet | Self::ClusterSetBinding | Self::Placement | Self::Addon | Self::Config => true,
            Self::Cluster | Self::Decision | Self::Score | Self::ClusterAddon | Self::Work => false,
            Self::RoleBinding | Self::Request | Self::Declared => false,
        }
    }
}

/// A kind that is always watched.
#[derive(Debug)]
pub(in crate::hub) struct Fixed {
    pub(in crate::hub) group: &'static str,
    pub(in crate::hub) kind: &'static str,
    /// The version in which objects are read; `None` for the add-on group, which is converted.
    pub(in crate::hub) version: Option<&'static str>,
    pub(in crate::hub) shape: Shape,
}

impl Fixed {
    pub(in crate::hub) fn group_kind(&self) -> GroupKind {
        GroupKind::new(self.group, self.kind)
    }
}

const fn row(group: &'static str, kind: &'static str, version: Option<&'static str>, shape: Shape) -> Fixed {
    Fixed { group, kind, version, shape }
}

/// Every kind that is always watched.
pub(in crate::hub) const FIXED: &[Fixed] = &[
    row(ADDON_GROUP, "ClusterManagementAddOn", None, Shape::Addon),
    row(ADDON_GROUP, "ManagedClusterAddOn", None, Shape::ClusterAddon),
    row(ADDON_GROUP, "AddOnTemplate", None, Shape::Config),
    row(ADDON_GROUP, "AddOnDeploymentConfig", None, Shape::Config),
    row(CLUSTER_GROUP, "ManagedCluster", Some("v1"), Shape::Cluster),
    row(CLUSTER_GROUP, "ManagedClusterSet", Some("v1beta2"), Shape::ClusterSet),
    row(CLUSTER_GROUP, "ManagedClusterSetBinding", Some("v1beta2"), Shape::ClusterSetBinding),
    row(CLUSTER_GROUP, "Placement", Some("v1beta1"), Shape::Placement),
    row(CLUSTER_GROUP, "PlacementDecision", Some("v1beta1"), Shape::Decision),
    row(CLUSTER_GROUP, "AddOnPlacementScore", Some("v1alpha1"), Shape::Score),
    row(WORK_GROUP, "ManifestWork", Some("v1"), Shape::Work),
];
