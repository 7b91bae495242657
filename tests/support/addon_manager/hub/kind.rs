//! The kinds of objects that the stand-in reads and writes.

use kube::discovery::ApiResource;
use tidegate_api::key;

/// A kind of objects, in the version that OCM's add-on manager uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub(crate) group: &'static str,
    pub(crate) version: &'static str,
    pub(crate) kind: &'static str,
    /// The plural resource name, as in configuration references.
    pub(crate) plural: &'static str,
}

const fn addon_kind(version: &'static str, kind: &'static str, plural: &'static str) -> Kind {
    Kind { group: key::ADDON_GROUP, version, kind, plural }
}

pub(crate) const ADDON: Kind = addon_kind("v1beta1", "ClusterManagementAddOn", "clustermanagementaddons");
pub(crate) const CLUSTER_ADDON: Kind = addon_kind("v1beta1", "ManagedClusterAddOn", "managedclusteraddons");
pub(crate) const TEMPLATE: Kind = addon_kind("v1alpha1", "AddOnTemplate", key::ADDON_TEMPLATES);
pub(crate) const DEPLOYMENT_CONFIG: Kind =
    addon_kind("v1beta1", "AddOnDeploymentConfig", key::ADDON_DEPLOYMENT_CONFIGS);
pub(crate) const WORK: Kind =
    Kind { group: key::WORK_GROUP, version: "v1", kind: "ManifestWork", plural: "manifestworks" };
pub(crate) const CLUSTER: Kind =
    Kind { group: key::CLUSTER_GROUP, version: "v1", kind: "ManagedCluster", plural: "managedclusters" };
pub(crate) const DECISION: Kind =
    Kind { group: key::CLUSTER_GROUP, version: "v1beta1", kind: "PlacementDecision", plural: "placementdecisions" };
pub(crate) const BINDING: Kind =
    Kind { group: key::RBAC_GROUP, version: "v1", kind: "RoleBinding", plural: "rolebindings" };
pub(crate) const LEASE: Kind = Kind { group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" };

/// The kinds that the stand-in watches on every hub.
pub(in crate::upstream) const WATCHED: [Kind; 8] =
    [ADDON, CLUSTER_ADDON, TEMPLATE, DEPLOYMENT_CONFIG, WORK, CLUSTER, DECISION, BINDING];

/// The kinds of configuration that an add-on built from a template supports.
pub(in crate::upstream) const OF_TEMPLATES: [Kind; 2] = [DEPLOYMENT_CONFIG, TEMPLATE];

impl Kind {
    /// Returns the kind as kube describes it.
    pub(in crate::upstream) fn resource(&self) -> ApiResource {
        ApiResource {
            group: self.group.to_owned(),
            version: self.version.to_owned(),
            api_version: format!("{}/{}", self.group, self.version),
            kind: self.kind.to_owned(),
            plural: self.plural.to_owned(),
        }
    }

    /// Returns the path of the objects of a namespace; `namespace` is empty for cluster-scoped ones.
    pub(in crate::upstream) fn path(&self, namespace: &str) -> String {
        let namespace = if namespace.is_empty() { String::new() } else { format!("namespaces/{namespace}/") };
        format!("/apis/{}/{}/{namespace}{}", self.group, self.version, self.plural)
    }
}
