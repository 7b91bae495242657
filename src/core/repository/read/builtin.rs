//! The kinds that every Kubernetes API server has.
//!
//! # Source
//! The API reference of Kubernetes 1.36.

/// Each group with its namespaced and its cluster-scoped kinds.
const GROUPS: [(&str, &[&str], &[&str]); 19] = [
    (
        "",
        &[
            "Binding",
            "ConfigMap",
            "Endpoints",
            "Event",
            "LimitRange",
            "PersistentVolumeClaim",
            "Pod",
            "PodTemplate",
            "ReplicationController",
            "ResourceQuota",
            "Secret",
            "Service",
            "ServiceAccount",
        ],
        &["ComponentStatus", "Namespace", "Node", "PersistentVolume"],
    ),
    ("apps", &["ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"], &[]),
    ("autoscaling", &["HorizontalPodAutoscaler"], &[]),
    ("batch", &["CronJob", "Job"], &[]),
    ("policy", &["PodDisruptionBudget"], &[]),
    ("events.k8s.io", &["Event"], &[]),
    ("discovery.k8s.io", &["EndpointSlice"], &[]),
    ("coordination.k8s.io", &["Lease", "LeaseCandidate"], &[]),
    ("networking.k8s.io", &["Ingress", "NetworkPolicy"], &["IngressClass", "IPAddress", "ServiceCIDR"]),
    ("rbac.authorization.k8s.io", &["Role", "RoleBinding"], &["ClusterRole", "ClusterRoleBinding"]),
    (
        "storage.k8s.io",
        &["CSIStorageCapacity"],
        &["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"],
    ),
    ("resource.k8s.io", &["ResourceClaim", "ResourceClaimTemplate"], &["DeviceClass", "ResourceSlice"]),
    ("certificates.k8s.io", &["PodCertificateRequest"], &["CertificateSigningRequest", "ClusterTrustBundle"]),
    ("scheduling.k8s.io", &[], &["PriorityClass"]),
    ("node.k8s.io", &[], &["RuntimeClass"]),
    ("flowcontrol.apiserver.k8s.io", &[], &["FlowSchema", "PriorityLevelConfiguration"]),
    ("apiextensions.k8s.io", &[], &["CustomResourceDefinition"]),
    ("apiregistration.k8s.io", &[], &["APIService"]),
    (
        "admissionregistration.k8s.io",
        &[],
        &[
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
            "MutatingWebhookConfiguration",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration",
        ],
    ),
];

/// The syntax of the names of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// A DNS subdomain.
    Subdomain,
    /// A DNS label.
    Label,
    /// Anything that is allowed in a URL path segment.
    Path,
}

/// A known kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Builtin {
    pub(crate) namespaced: bool,
    pub(crate) names: Names,
}

/// Returns `true` if a group is one of Kubernetes' own groups.
pub(crate) fn is_group(group: &str) -> bool {
    GROUPS.iter().any(|(known, _, _)| *known == group)
}

/// Returns a kind of a group.
pub(crate) fn builtin(group: &str, kind: &str) -> Option<Builtin> {
    let (_, inside, outside) = GROUPS.iter().find(|(known, _, _)| *known == group)?;
    let namespaced = inside.contains(&kind);
    let names = match (group, kind) {
        ("", "Namespace" | "Service") => Names::Label,
        ("rbac.authorization.k8s.io", _) | ("certificates.k8s.io", "ClusterTrustBundle") => Names::Path,
        ("networking.k8s.io", "IPAddress") => Names::Path,
        _ => Names::Subdomain,
    };
    (namespaced || outside.contains(&kind)).then_some(Builtin { namespaced, names })
}

/// Returns the kinds of a group.
pub(crate) fn kinds(group: &str) -> impl Iterator<Item = &'static str> + Clone {
    let of_group = GROUPS.iter().filter(move |(known, _, _)| *known == group).collect::<Vec<_>>();
    of_group.into_iter().flat_map(|(_, inside, outside)| inside.iter().chain(*outside).copied())
}

/// Returns a group that contains a kind.
pub(crate) fn group_of(kind: &str) -> Option<&'static str> {
    GROUPS
        .iter()
        .find(|(_, inside, outside)| inside.contains(&kind) || outside.contains(&kind))
        .map(|(group, _, _)| *group)
}

/// Returns `true` if a kind of Kubernetes itself is namespaced, and `false` if it is cluster-scoped; `None` for any other kind.
pub(crate) fn is_namespaced(group: &str, kind: &str) -> Option<bool> {
    builtin(group, kind).map(|known| known.namespaced)
}
