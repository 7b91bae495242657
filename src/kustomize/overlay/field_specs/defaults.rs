//! The built-in field specs of the transformers.
//!
//! # Source
//! kustomize 5.8.1, `builtinpluginconsts`.

/// A row: group, version, kind, path, and whether the field is created.
pub(crate) type Row = (&'static str, &'static str, &'static str, &'static str, bool);

pub(crate) const NAME: [Row; 1] = [("", "", "", "metadata/name", false)];

pub(crate) const NAMESPACE: [Row; 3] = [
    ("", "", "Namespace", "metadata/name", true),
    ("apiregistration.k8s.io", "", "APIService", "spec/service/namespace", true),
    (
        "apiextensions.k8s.io",
        "",
        "CustomResourceDefinition",
        "spec/conversion/webhook/clientConfig/service/namespace",
        false,
    ),
];

pub(crate) const TEMPLATE_LABELS: [Row; 10] = [
    ("", "", "", "metadata/labels", true),
    ("", "v1", "ReplicationController", "spec/template/metadata/labels", true),
    ("", "", "Deployment", "spec/template/metadata/labels", true),
    ("", "", "ReplicaSet", "spec/template/metadata/labels", true),
    ("", "", "DaemonSet", "spec/template/metadata/labels", true),
    ("apps", "", "StatefulSet", "spec/template/metadata/labels", true),
    ("apps", "", "StatefulSet", "spec/volumeClaimTemplates[]/metadata/labels", true),
    ("batch", "", "Job", "spec/template/metadata/labels", true),
    ("batch", "", "CronJob", "spec/jobTemplate/metadata/labels", true),
    ("batch", "", "CronJob", "spec/jobTemplate/spec/template/metadata/labels", true),
];

/// Selectors. Those in pod affinities and topology spread constraints are in [`POD_SELECTORS`].
pub(crate) const SELECTORS: [Row; 12] = [
    ("", "v1", "Service", "spec/selector", true),
    ("", "v1", "ReplicationController", "spec/selector", true),
    ("", "", "Deployment", "spec/selector/matchLabels", true),
    ("", "", "ReplicaSet", "spec/selector/matchLabels", true),
    ("", "", "DaemonSet", "spec/selector/matchLabels", true),
    ("apps", "", "StatefulSet", "spec/selector/matchLabels", true),
    ("batch", "", "Job", "spec/selector/matchLabels", false),
    ("batch", "", "CronJob", "spec/jobTemplate/spec/selector/matchLabels", false),
    ("policy", "", "PodDisruptionBudget", "spec/selector/matchLabels", false),
    ("networking.k8s.io", "", "NetworkPolicy", "spec/podSelector/matchLabels", false),
    ("networking.k8s.io", "", "NetworkPolicy", "spec/ingress/from/podSelector/matchLabels", false),
    ("networking.k8s.io", "", "NetworkPolicy", "spec/egress/to/podSelector/matchLabels", false),
];

/// Selectors in the pods of Deployments and StatefulSets of `apps`, below `spec/template/spec`.
pub(crate) const POD_SELECTORS: [&str; 5] = [
    "affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
    "affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
    "affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
    "affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
    "topologySpreadConstraints/labelSelector/matchLabels",
];

pub(crate) const ANNOTATIONS: [Row; 9] = [
    ("", "", "", "metadata/annotations", true),
    ("", "v1", "ReplicationController", "spec/template/metadata/annotations", true),
    ("", "", "Deployment", "spec/template/metadata/annotations", true),
    ("", "", "ReplicaSet", "spec/template/metadata/annotations", true),
    ("", "", "DaemonSet", "spec/template/metadata/annotations", true),
    ("", "", "StatefulSet", "spec/template/metadata/annotations", true),
    ("batch", "", "Job", "spec/template/metadata/annotations", true),
    ("batch", "", "CronJob", "spec/jobTemplate/metadata/annotations", true),
    ("batch", "", "CronJob", "spec/jobTemplate/spec/template/metadata/annotations", true),
];

pub(crate) const IMAGES: [Row; 6] = [
    ("", "", "", "spec/containers[]/image", true),
    ("", "", "", "spec/initContainers[]/image", true),
    ("", "", "", "spec/volumes[]/image/reference", true),
    ("", "", "", "spec/template/spec/containers[]/image", true),
    ("", "", "", "spec/template/spec/initContainers[]/image", true),
    ("", "", "", "spec/template/spec/volumes[]/image/reference", true),
];

pub(crate) const REPLICAS: [Row; 4] = [
    ("", "", "Deployment", "spec/replicas", true),
    ("", "", "ReplicationController", "spec/replicas", true),
    ("", "", "ReplicaSet", "spec/replicas", true),
    ("", "", "StatefulSet", "spec/replicas", true),
];
