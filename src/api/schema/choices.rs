//! The values that Kubernetes allows in some string fields of its own kinds.
//!
//! # Source
//! The API reference of Kubernetes 1.37, whose schemas do not have these values.

/// A field of a definition, or of the items of a list, with its values.
type Choice = (&'static str, &'static str, &'static [&'static str]);

const PULL: &[&str] = &["Always", "IfNotPresent", "Never"];
const MESSAGE: &[&str] = &["File", "FallbackToLogsOnError"];
const RESTART: &[&str] = &["Always", "OnFailure", "Never"];
const PROTOCOL: &[&str] = &["TCP", "UDP", "SCTP"];
const EFFECT: &[&str] = &["NoSchedule", "PreferNoSchedule", "NoExecute"];
const TRAFFIC: &[&str] = &["Cluster", "Local"];
const VOLUME: &[&str] = &["Filesystem", "Block"];
const ACCESS: &[&str] = &["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"];
const UPDATE: &[&str] = &["RollingUpdate", "OnDelete"];
const PREEMPTION: &[&str] = &["PreemptLowerPriority", "Never"];
const FAILURE: &[&str] = &["Ignore", "Fail"];
const MATCH: &[&str] = &["Exact", "Equivalent"];
const EFFECTS: &[&str] = &["None", "NoneOnDryRun", "Some", "Unknown"];

/// The fields by the definition that they are in, without `io.k8s.`.
const CHOICES: &[Choice] = &[
    ("api.admissionregistration.v1.MutatingWebhook", "failurePolicy", FAILURE),
    ("api.admissionregistration.v1.MutatingWebhook", "matchPolicy", MATCH),
    ("api.admissionregistration.v1.MutatingWebhook", "reinvocationPolicy", &["Never", "IfNeeded"]),
    ("api.admissionregistration.v1.MutatingWebhook", "sideEffects", EFFECTS),
    ("api.admissionregistration.v1.ValidatingWebhook", "failurePolicy", FAILURE),
    ("api.admissionregistration.v1.ValidatingWebhook", "matchPolicy", MATCH),
    ("api.admissionregistration.v1.ValidatingWebhook", "sideEffects", EFFECTS),
    ("api.apps.v1.DaemonSetUpdateStrategy", "type", UPDATE),
    ("api.apps.v1.DeploymentStrategy", "type", &["Recreate", "RollingUpdate"]),
    ("api.apps.v1.StatefulSetSpec", "podManagementPolicy", &["OrderedReady", "Parallel"]),
    ("api.apps.v1.StatefulSetUpdateStrategy", "type", UPDATE),
    ("api.autoscaling.v2.MetricSpec", "type", &["ContainerResource", "External", "Object", "Pods", "Resource"]),
    ("api.autoscaling.v2.MetricTarget", "type", &["Utilization", "Value", "AverageValue"]),
    ("api.batch.v1.CronJobSpec", "concurrencyPolicy", &["Allow", "Forbid", "Replace"]),
    ("api.batch.v1.JobSpec", "completionMode", &["NonIndexed", "Indexed"]),
    ("api.core.v1.Container", "imagePullPolicy", PULL),
    ("api.core.v1.Container", "restartPolicy", RESTART),
    ("api.core.v1.Container", "terminationMessagePolicy", MESSAGE),
    ("api.core.v1.ContainerPort", "protocol", PROTOCOL),
    ("api.core.v1.EphemeralContainer", "imagePullPolicy", PULL),
    ("api.core.v1.EphemeralContainer", "terminationMessagePolicy", MESSAGE),
    ("api.core.v1.HTTPGetAction", "scheme", &["HTTP", "HTTPS"]),
    (
        "api.core.v1.HostPathVolumeSource",
        "type",
        &["DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"],
    ),
    ("api.core.v1.NodeSelectorRequirement", "operator", &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]),
    ("api.core.v1.PersistentVolumeClaimSpec", "accessModes", ACCESS),
    ("api.core.v1.PersistentVolumeClaimSpec", "volumeMode", VOLUME),
    ("api.core.v1.PersistentVolumeSpec", "accessModes", ACCESS),
    ("api.core.v1.PersistentVolumeSpec", "persistentVolumeReclaimPolicy", &["Retain", "Recycle", "Delete"]),
    ("api.core.v1.PersistentVolumeSpec", "volumeMode", VOLUME),
    ("api.core.v1.PodSpec", "dnsPolicy", &["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"]),
    ("api.core.v1.PodSpec", "preemptionPolicy", PREEMPTION),
    ("api.core.v1.PodSpec", "restartPolicy", RESTART),
    ("api.core.v1.SeccompProfile", "type", &["Localhost", "RuntimeDefault", "Unconfined"]),
    ("api.core.v1.ServicePort", "protocol", PROTOCOL),
    ("api.core.v1.ServiceSpec", "externalTrafficPolicy", TRAFFIC),
    ("api.core.v1.ServiceSpec", "internalTrafficPolicy", TRAFFIC),
    ("api.core.v1.ServiceSpec", "ipFamilyPolicy", &["SingleStack", "PreferDualStack", "RequireDualStack"]),
    ("api.core.v1.ServiceSpec", "sessionAffinity", &["None", "ClientIP"]),
    ("api.core.v1.ServiceSpec", "type", &["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]),
    ("api.core.v1.Toleration", "effect", EFFECT),
    ("api.core.v1.Toleration", "operator", &["Exists", "Equal", "Lt", "Gt"]),
    ("api.core.v1.TopologySpreadConstraint", "whenUnsatisfiable", &["DoNotSchedule", "ScheduleAnyway"]),
    ("api.core.v1.VolumeMount", "mountPropagation", &["None", "HostToContainer", "Bidirectional"]),
    ("api.networking.v1.HTTPIngressPath", "pathType", &["Exact", "Prefix", "ImplementationSpecific"]),
    ("api.networking.v1.NetworkPolicyPort", "protocol", PROTOCOL),
    ("api.networking.v1.NetworkPolicySpec", "policyTypes", &["Ingress", "Egress"]),
    ("api.policy.v1.PodDisruptionBudgetSpec", "unhealthyPodEvictionPolicy", &["IfHealthyBudget", "AlwaysAllow"]),
    ("api.rbac.v1.RoleRef", "kind", &["Role", "ClusterRole"]),
    ("api.rbac.v1.Subject", "kind", &["User", "Group", "ServiceAccount"]),
    ("api.scheduling.v1.PriorityClass", "preemptionPolicy", PREEMPTION),
    ("api.storage.v1.StorageClass", "reclaimPolicy", &["Delete", "Retain"]),
    ("api.storage.v1.StorageClass", "volumeBindingMode", &["Immediate", "WaitForFirstConsumer"]),
    (
        "apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec",
        "scope",
        &["Cluster", "Namespaced"],
    ),
    ("apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement", "operator", &["In", "NotIn", "Exists", "DoesNotExist"]),
];

/// Returns the fields of a definition that allow certain values only, with these values.
pub(super) fn of(name: &str) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    let short = name.strip_prefix("io.k8s.").unwrap_or(name).to_owned();
    CHOICES.iter().filter(move |(definition, ..)| *definition == short).map(|(_, field, values)| (*field, *values))
}
