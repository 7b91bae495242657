//! The kinds that are watched, and how the objects of each are held.

use std::fmt;

use crate::api::key::{ADDON_GROUP, CLUSTER_GROUP, WORK_GROUP};
use crate::model::object::ObjectKey;

/// A group and kind, whatever the version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKind {
    /// The API group; empty for the core group.
    pub group: String,
    /// The kind, in CamelCase.
    pub kind: String,
}

impl GroupKind {
    /// Pairs a group (empty for the core group) with a kind.
    pub fn new(group: impl Into<String>, kind: impl Into<String>) -> Self {
        Self { group: group.into(), kind: kind.into() }
    }

    /// Returns the group and kind of an object.
    pub fn of(key: &ObjectKey) -> Self {
        Self::new(&key.group, &key.kind)
    }

    pub(super) fn shape(&self) -> Shape {
        self.fixed().map_or(Shape::Declared, |fixed| fixed.shape)
    }

    /// Returns the row of a kind that is always watched, or `None` for the kinds that only the repository names.
    pub(super) fn fixed(&self) -> Option<&'static Fixed> {
        FIXED.iter().find(|fixed| fixed.group == self.group && fixed.kind == self.kind)
    }
}

impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() { f.write_str(&self.kind) } else { write!(f, "{}.{}", self.kind, self.group) }
    }
}

/// Where the objects of a kind go in the fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Cluster,
    ClusterSet,
    ClusterSetBinding,
    Placement,
    Decision,
    Score,
    Addon,
    ClusterAddon,
    Work,
    /// Configurations of add-ons: held as JSON, whoever made them.
    Config,
    /// Any other kind: held as JSON where the repository owns the object.
    Declared,
}

impl Shape {
    /// Says whether the JSON of every object is held beside its typed form, to be compared with what is declared.
    ///
    /// Kinds with an object for each cluster are held twice only where the repository owns the object: 10,000 clusters with an
    /// add-on and a work each would otherwise cost a hundred megabytes that nobody looks at.
    pub(super) fn keeps_json(self) -> bool {
        match self {
            Self::ClusterSet | Self::ClusterSetBinding | Self::Placement | Self::Addon | Self::Config => true,
            Self::Cluster | Self::Decision | Self::Score | Self::ClusterAddon | Self::Work | Self::Declared => false,
        }
    }
}

/// A kind that is always watched.
#[derive(Debug)]
pub(super) struct Fixed {
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    /// The version whose shape is read; `None` for the add-on group, which is converted.
    pub(super) version: Option<&'static str>,
    pub(super) shape: Shape,
}

impl Fixed {
    pub(super) fn group_kind(&self) -> GroupKind {
        GroupKind::new(self.group, self.kind)
    }
}

const fn fixed(group: &'static str, kind: &'static str, version: Option<&'static str>, shape: Shape) -> Fixed {
    Fixed { group, kind, version, shape }
}

/// Every kind that is always watched.
pub(super) const FIXED: &[Fixed] = &[
    fixed(ADDON_GROUP, "ClusterManagementAddOn", None, Shape::Addon),
    fixed(ADDON_GROUP, "ManagedClusterAddOn", None, Shape::ClusterAddon),
    fixed(ADDON_GROUP, "AddOnTemplate", None, Shape::Config),
    fixed(ADDON_GROUP, "AddOnDeploymentConfig", None, Shape::Config),
    fixed(CLUSTER_GROUP, "ManagedCluster", Some("v1"), Shape::Cluster),
    fixed(CLUSTER_GROUP, "ManagedClusterSet", Some("v1beta2"), Shape::ClusterSet),
    fixed(CLUSTER_GROUP, "ManagedClusterSetBinding", Some("v1beta2"), Shape::ClusterSetBinding),
    fixed(CLUSTER_GROUP, "Placement", Some("v1beta1"), Shape::Placement),
    fixed(CLUSTER_GROUP, "PlacementDecision", Some("v1beta1"), Shape::Decision),
    fixed(CLUSTER_GROUP, "AddOnPlacementScore", Some("v1alpha1"), Shape::Score),
    fixed(WORK_GROUP, "ManifestWork", Some("v1"), Shape::Work),
];
