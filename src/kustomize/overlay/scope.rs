//! The scopes of the built-in kinds.

/// Returns `true` if a kind is known to be cluster-scoped. All other kinds, including custom ones, count as namespaced.
///
/// # Source
/// kustomize's precomputed table of scopes: Kubernetes 1.21.
pub(super) fn is_cluster_scoped(api_version: &str, kind: &str) -> bool {
    match api_version {
        "v1" => matches!(kind, "ComponentStatus" | "Namespace" | "Node" | "NodeProxyOptions" | "PersistentVolume"),
        "admissionregistration.k8s.io/v1" | "admissionregistration.k8s.io/v1beta1" => {
            matches!(kind, "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration")
        }
        "apiextensions.k8s.io/v1" | "apiextensions.k8s.io/v1beta1" => kind == "CustomResourceDefinition",
        "apiregistration.k8s.io/v1" | "apiregistration.k8s.io/v1beta1" => kind == "APIService",
        "certificates.k8s.io/v1" | "certificates.k8s.io/v1beta1" => kind == "CertificateSigningRequest",
        "flowcontrol.apiserver.k8s.io/v1beta1" => matches!(kind, "FlowSchema" | "PriorityLevelConfiguration"),
        "networking.k8s.io/v1" | "networking.k8s.io/v1beta1" => kind == "IngressClass",
        "node.k8s.io/v1" | "node.k8s.io/v1beta1" => kind == "RuntimeClass",
        "policy/v1beta1" => kind == "PodSecurityPolicy",
        "rbac.authorization.k8s.io/v1" | "rbac.authorization.k8s.io/v1beta1" => {
            matches!(kind, "ClusterRole" | "ClusterRoleBinding")
        }
        "scheduling.k8s.io/v1" | "scheduling.k8s.io/v1beta1" => kind == "PriorityClass",
        "storage.k8s.io/v1" | "storage.k8s.io/v1beta1" => {
            matches!(kind, "CSIDriver" | "CSINode" | "StorageClass" | "VolumeAttachment")
        }
        _ => false,
    }
}
