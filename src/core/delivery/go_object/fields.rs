//! Facts about the fields of Go's Deployment and DaemonSet that the published schema does not contain.
//!
//! Upstream reads a workload into its Go struct and writes it out again. The schema has the names, the types and the
//! required fields; whether a zero value is written depends on whether the Go field is a pointer, which is listed here.
//!
//! # Source
//! `k8s.io/api` v0.35 apps/v1 and core/v1, `k8s.io/apimachinery` meta/v1.

/// Optional fields that are pointers in Go: a zero value is written.
const POINTERS: &[(&str, &[&str])] = &[
    ("AppArmorProfile", &["localhostProfile"]),
    ("AzureDiskVolumeSource", &["cachingMode", "fsType", "kind", "readOnly"]),
    ("CSIVolumeSource", &["fsType", "readOnly"]),
    ("ClusterTrustBundleProjection", &["name", "optional", "signerName"]),
    ("ConfigMapEnvSource", &["optional"]),
    ("ConfigMapKeySelector", &["optional"]),
    ("ConfigMapProjection", &["optional"]),
    ("ConfigMapVolumeSource", &["defaultMode", "optional"]),
    ("Container", &["restartPolicy"]),
    ("DaemonSetSpec", &["revisionHistoryLimit"]),
    ("DaemonSetStatus", &["collisionCount"]),
    ("DeploymentSpec", &["progressDeadlineSeconds", "replicas", "revisionHistoryLimit"]),
    ("DeploymentStatus", &["collisionCount", "terminatingReplicas"]),
    ("DownwardAPIVolumeFile", &["mode"]),
    ("DownwardAPIVolumeSource", &["defaultMode"]),
    ("EphemeralContainer", &["restartPolicy"]),
    ("FCVolumeSource", &["lun"]),
    ("FileKeySelector", &["optional"]),
    ("HostPathVolumeSource", &["type"]),
    ("ISCSIVolumeSource", &["initiatorName"]),
    ("KeyToPath", &["mode"]),
    ("Lifecycle", &["stopSignal"]),
    ("ObjectMeta", &["deletionGracePeriodSeconds"]),
    ("OwnerReference", &["blockOwnerDeletion", "controller"]),
    ("PersistentVolumeClaimSpec", &["storageClassName", "volumeAttributesClassName", "volumeMode"]),
    ("PodCertificateProjection", &["maxExpirationSeconds"]),
    ("PodDNSConfigOption", &["value"]),
    ("PodResourceClaim", &["resourceClaimName", "resourceClaimTemplateName"]),
    (
        "PodSecurityContext",
        &[
            "fsGroup",
            "fsGroupChangePolicy",
            "runAsGroup",
            "runAsNonRoot",
            "runAsUser",
            "seLinuxChangePolicy",
            "supplementalGroupsPolicy",
        ],
    ),
    (
        "PodSpec",
        &[
            "activeDeadlineSeconds",
            "automountServiceAccountToken",
            "enableServiceLinks",
            "hostUsers",
            "hostnameOverride",
            "preemptionPolicy",
            "priority",
            "runtimeClassName",
            "setHostnameAsFQDN",
            "shareProcessNamespace",
            "terminationGracePeriodSeconds",
        ],
    ),
    ("Probe", &["terminationGracePeriodSeconds"]),
    ("ProjectedVolumeSource", &["defaultMode"]),
    ("SeccompProfile", &["localhostProfile"]),
    ("SecretEnvSource", &["optional"]),
    ("SecretKeySelector", &["optional"]),
    ("SecretProjection", &["optional"]),
    ("SecretVolumeSource", &["defaultMode", "optional"]),
    (
        "SecurityContext",
        &[
            "allowPrivilegeEscalation",
            "privileged",
            "procMount",
            "readOnlyRootFilesystem",
            "runAsGroup",
            "runAsNonRoot",
            "runAsUser",
        ],
    ),
    ("ServiceAccountTokenProjection", &["expirationSeconds"]),
    ("Toleration", &["tolerationSeconds"]),
    ("TopologySpreadConstraint", &["minDomains", "nodeAffinityPolicy", "nodeTaintsPolicy"]),
    ("TypedObjectReference", &["namespace"]),
    ("VolumeMount", &["mountPropagation", "recursiveReadOnly"]),
    (
        "WindowsSecurityContextOptions",
        &["gmsaCredentialSpec", "gmsaCredentialSpecName", "hostProcess", "runAsUserName"],
    ),
];

/// Optional fields that are structs in Go, not pointers: they are always written.
const STRUCTS: &[(&str, &[&str])] = &[
    ("Container", &["resources"]),
    ("DaemonSet", &["metadata", "spec", "status"]),
    ("DaemonSetSpec", &["updateStrategy"]),
    ("Deployment", &["metadata", "spec", "status"]),
    ("DeploymentSpec", &["strategy"]),
    ("EphemeralContainer", &["resources"]),
    ("PersistentVolumeClaimSpec", &["resources"]),
    ("PersistentVolumeClaimTemplate", &["metadata"]),
    ("PodTemplateSpec", &["metadata", "spec"]),
    ("ResourceFieldSelector", &["divisor"]),
];

/// Pointers that are written even if they are nil, as `null`.
const NULLS: &[(&str, &[&str])] = &[
    ("DaemonSetSpec", &["selector"]),
    ("DeploymentSpec", &["selector"]),
    ("GRPCAction", &["service"]),
    ("ProjectedVolumeSource", &["sources"]),
    ("ScaleIOVolumeSource", &["secretRef"]),
    ("TypedLocalObjectReference", &["apiGroup"]),
    ("TypedObjectReference", &["apiGroup"]),
];

/// Fields that the schema requires but Go leaves out if they are empty.
const NOT_REQUIRED: &[(&str, &[&str])] = &[
    ("ConfigMapEnvSource", &["name"]),
    ("ConfigMapKeySelector", &["name"]),
    ("ConfigMapProjection", &["name"]),
    ("ConfigMapVolumeSource", &["name"]),
    ("LocalObjectReference", &["name"]),
    ("SecretEnvSource", &["name"]),
    ("SecretKeySelector", &["name"]),
    ("SecretProjection", &["name"]),
];

/// When a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Unless it is zero.
    NonZero,
    /// If it was given.
    Given,
    /// Always, with its zero value if it was not given.
    Always,
    /// Always, with `null` if it was not given.
    Nullable,
}

/// Returns when a field of a Go struct is written. `required` is `true` if the schema requires it.
pub(super) fn presence(of: &str, field: &str, required: bool) -> Presence {
    let listed = |table: &[(&str, &[&str])]| table.iter().any(|(name, fields)| *name == of && fields.contains(&field));
    if listed(NULLS) {
        Presence::Nullable
    } else if listed(STRUCTS) || (required && !listed(NOT_REQUIRED)) {
        Presence::Always
    } else if listed(POINTERS) {
        Presence::Given
    } else {
        Presence::NonZero
    }
}
