//! The fields of built-in kinds that hold names of other objects.
//!
//! # Source
//! kustomize 5.8.1, `builtinpluginconsts`. Its row for IngressClass names a group that no object has, and is left out.

/// The target of a name reference: group, version and kind.
pub(crate) type Target = (&'static str, &'static str, &'static str);

/// A row: group, version and kind of the referring object, and the path of the name.
pub(crate) type Row = (&'static str, &'static str, &'static str, &'static str);

pub(crate) const CONFIG_MAP: Target = ("", "v1", "ConfigMap");
pub(crate) const SECRET: Target = ("", "v1", "Secret");

/// Fields in the spec of a pod that refer to ConfigMaps.
pub(crate) const POD_CONFIG_MAPS: [&str; 6] = [
    "volumes/configMap/name",
    "containers/env/valueFrom/configMapKeyRef/name",
    "initContainers/env/valueFrom/configMapKeyRef/name",
    "containers/envFrom/configMapRef/name",
    "initContainers/envFrom/configMapRef/name",
    "volumes/projected/sources/configMap/name",
];

/// Fields in the spec of a pod that refer to Secrets.
pub(crate) const POD_SECRETS: [&str; 7] = [
    "volumes/secret/secretName",
    "containers/env/valueFrom/secretKeyRef/name",
    "initContainers/env/valueFrom/secretKeyRef/name",
    "containers/envFrom/secretRef/name",
    "initContainers/envFrom/secretRef/name",
    "imagePullSecrets/name",
    "volumes/projected/sources/secret/name",
];

/// Kinds whose pods refer to ConfigMaps and Secrets: version, kind and the path of the pod spec.
pub(crate) const PODS: [(&str, &str, &str); 8] = [
    ("v1", "Pod", "spec"),
    ("", "PodTemplate", "template/spec"),
    ("", "Deployment", "spec/template/spec"),
    ("", "ReplicaSet", "spec/template/spec"),
    ("", "DaemonSet", "spec/template/spec"),
    ("", "StatefulSet", "spec/template/spec"),
    ("", "Job", "spec/template/spec"),
    ("", "CronJob", "spec/jobTemplate/spec/template/spec"),
];

/// Further references to ConfigMaps.
pub(crate) const CONFIG_MAPS: [Row; 4] = [
    ("", "", "Node", "spec/configSource/configMap"),
    ("", "", "Role", "rules/resourceNames"),
    ("", "", "ClusterRole", "rules/resourceNames"),
    ("", "", "Ingress", r"metadata/annotations/nginx.ingress.kubernetes.io\/fastcgi-params-configmap"),
];

/// Further references to Secrets.
pub(crate) const SECRETS: [Row; 13] = [
    ("", "", "Ingress", "spec/tls/secretName"),
    ("", "", "Ingress", r"metadata/annotations/ingress.kubernetes.io\/auth-secret"),
    ("", "", "Ingress", r"metadata/annotations/nginx.ingress.kubernetes.io\/auth-secret"),
    ("", "", "Ingress", r"metadata/annotations/nginx.ingress.kubernetes.io\/auth-tls-secret"),
    ("", "", "ServiceAccount", "imagePullSecrets/name"),
    ("", "", "StorageClass", "parameters/secretName"),
    ("", "", "StorageClass", "parameters/adminSecretName"),
    ("", "", "StorageClass", "parameters/userSecretName"),
    ("", "", "StorageClass", "parameters/secretRef"),
    ("", "", "Role", "rules/resourceNames"),
    ("", "", "ClusterRole", "rules/resourceNames"),
    ("serving.knative.dev", "v1", "Service", "spec/template/spec/containers/env/valueFrom/secretKeyRef/name"),
    ("", "", "PersistentVolume", "spec/azureFile/secretName"),
];

/// Kinds whose pods refer to ServiceAccounts, PersistentVolumeClaims and PriorityClasses: kind and the path of the pod spec.
pub(crate) const RUNNING_PODS: [(&str, &str); 7] = [
    ("Pod", "spec"),
    ("StatefulSet", "spec/template/spec"),
    ("Deployment", "spec/template/spec"),
    ("ReplicationController", "spec/template/spec"),
    ("CronJob", "spec/jobTemplate/spec/template/spec"),
    ("Job", "spec/template/spec"),
    ("DaemonSet", "spec/template/spec"),
];

/// The targets that such pod specs refer to, and the paths of the names.
pub(crate) const IN_RUNNING_PODS: [(Target, &str); 3] = [
    (("", "v1", "ServiceAccount"), "serviceAccountName"),
    (("", "v1", "PersistentVolumeClaim"), "volumes/persistentVolumeClaim/claimName"),
    (("scheduling.k8s.io", "v1", "PriorityClass"), "priorityClassName"),
];

const RBAC: &str = "rbac.authorization.k8s.io";
const ADMISSION: &str = "admissionregistration.k8s.io";

/// All other references.
pub(crate) const OTHERS: [(Target, Row); 23] = [
    (("", "", "Deployment"), ("", "", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name")),
    (("", "", "ReplicationController"), ("", "", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name")),
    (("", "", "ReplicaSet"), ("", "", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name")),
    (("", "", "StatefulSet"), ("", "", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name")),
    (("", "v1", "Service"), ("apps", "", "StatefulSet", "spec/serviceName")),
    (("", "v1", "Service"), ("", "", "Ingress", "spec/rules/http/paths/backend/serviceName")),
    (("", "v1", "Service"), ("", "", "Ingress", "spec/backend/serviceName")),
    (("", "v1", "Service"), ("", "", "Ingress", "spec/rules/http/paths/backend/service/name")),
    (("", "v1", "Service"), ("", "", "Ingress", "spec/defaultBackend/service/name")),
    (("", "v1", "Service"), ("apiregistration.k8s.io", "", "APIService", "spec/service/name")),
    (("", "v1", "Service"), (ADMISSION, "", "ValidatingWebhookConfiguration", "webhooks/clientConfig/service")),
    (("", "v1", "Service"), (ADMISSION, "", "MutatingWebhookConfiguration", "webhooks/clientConfig/service")),
    ((RBAC, "", "Role"), (RBAC, "", "RoleBinding", "roleRef/name")),
    ((RBAC, "", "ClusterRole"), (RBAC, "", "RoleBinding", "roleRef/name")),
    ((RBAC, "", "ClusterRole"), (RBAC, "", "ClusterRoleBinding", "roleRef/name")),
    (("", "v1", "ServiceAccount"), (RBAC, "", "RoleBinding", "subjects")),
    (("", "v1", "ServiceAccount"), (RBAC, "", "ClusterRoleBinding", "subjects")),
    (("", "v1", "PersistentVolume"), ("", "", "PersistentVolumeClaim", "spec/volumeName")),
    (("", "v1", "PersistentVolume"), ("", "", "ClusterRole", "rules/resourceNames")),
    (("storage.k8s.io", "v1", "StorageClass"), ("", "", "PersistentVolume", "spec/storageClassName")),
    (("storage.k8s.io", "v1", "StorageClass"), ("", "", "PersistentVolumeClaim", "spec/storageClassName")),
    (
        ("storage.k8s.io", "v1", "StorageClass"),
        ("", "", "StatefulSet", "spec/volumeClaimTemplates/spec/storageClassName"),
    ),
    (
        (ADMISSION, "", "ValidatingAdmissionPolicy"),
        (ADMISSION, "", "ValidatingAdmissionPolicyBinding", "spec/policyName"),
    ),
];
