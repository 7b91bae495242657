//! The lists of the built-in kinds that are merged element by element, and their merge keys.

/// A built-in type, as far as a strategic merge needs it: the fields that are merged lists or lead to some.
#[derive(Debug)]
pub(crate) struct BuiltinType {
    fields: &'static [(&'static str, BuiltinField)],
}

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BuiltinField {
    /// An object.
    Object(&'static BuiltinType),
    /// A list of objects that are the same if these keys are equal.
    Keyed(&'static [&'static str], Option<&'static BuiltinType>),
    /// A list of strings that is a set.
    Set,
}

impl BuiltinType {
    /// Returns what a field holds, or `None` if no list is merged there or below.
    pub(crate) fn field(&self, name: &str) -> Option<BuiltinField> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, field)| *field)
    }
}

const META: (&str, BuiltinField) = ("metadata", BuiltinField::Object(&OBJECT_META));
const TYPED: BuiltinField = BuiltinField::Keyed(&["type"], None);
const NAMED: BuiltinField = BuiltinField::Keyed(&["name"], None);
const TEMPLATE: (&str, BuiltinField) = ("template", BuiltinField::Object(&POD_TEMPLATE));
const CONDITIONS: (&str, BuiltinField) = ("status", BuiltinField::Object(&CONDITIONS_STATUS));
const VOLUME_DEVICES: (&str, BuiltinField) = ("volumeDevices", BuiltinField::Keyed(&["devicePath"], None));
const VOLUME_MOUNTS: (&str, BuiltinField) = ("volumeMounts", BuiltinField::Keyed(&["mountPath"], None));

static OBJECT_META: BuiltinType = BuiltinType {
    fields: &[("finalizers", BuiltinField::Set), ("ownerReferences", BuiltinField::Keyed(&["uid"], None))],
};
static PLAIN: BuiltinType = BuiltinType { fields: &[META] };
static CONDITIONS_STATUS: BuiltinType = BuiltinType { fields: &[("conditions", TYPED)] };
static WITH_CONDITIONS: BuiltinType = BuiltinType { fields: &[META, CONDITIONS] };
static WEBHOOKS: BuiltinType = BuiltinType { fields: &[META, ("webhooks", NAMED)] };
static TEMPLATED_SPEC: BuiltinType = BuiltinType { fields: &[TEMPLATE] };
static WORKLOAD: BuiltinType =
    BuiltinType { fields: &[META, ("spec", BuiltinField::Object(&TEMPLATED_SPEC)), CONDITIONS] };
static JOB_TEMPLATE: BuiltinType = BuiltinType { fields: &[META, ("spec", BuiltinField::Object(&TEMPLATED_SPEC))] };
static CRON_JOB_SPEC: BuiltinType = BuiltinType { fields: &[("jobTemplate", BuiltinField::Object(&JOB_TEMPLATE))] };
static CRON_JOB: BuiltinType = BuiltinType { fields: &[META, ("spec", BuiltinField::Object(&CRON_JOB_SPEC))] };
static POD_TEMPLATE: BuiltinType = BuiltinType { fields: &[META, ("spec", BuiltinField::Object(&POD_SPEC))] };
static POD_TEMPLATE_OBJECT: BuiltinType = BuiltinType { fields: &[META, TEMPLATE] };
static POD: BuiltinType = BuiltinType {
    fields: &[META, ("spec", BuiltinField::Object(&POD_SPEC)), ("status", BuiltinField::Object(&POD_STATUS))],
};
static POD_STATUS: BuiltinType =
    BuiltinType { fields: &[("conditions", TYPED), ("podIPs", BuiltinField::Keyed(&["ip"], None))] };
static POD_SPEC: BuiltinType = BuiltinType {
    fields: &[
        ("containers", BuiltinField::Keyed(&["name"], Some(&CONTAINER))),
        ("ephemeralContainers", BuiltinField::Keyed(&["name"], Some(&EPHEMERAL_CONTAINER))),
        ("hostAliases", BuiltinField::Keyed(&["ip"], None)),
        ("imagePullSecrets", NAMED),
        ("initContainers", BuiltinField::Keyed(&["name"], Some(&CONTAINER))),
        ("topologySpreadConstraints", BuiltinField::Keyed(&["topologyKey", "whenUnsatisfiable"], None)),
        ("volumes", BuiltinField::Keyed(&["name"], Some(&VOLUME))),
    ],
};
static CONTAINER: BuiltinType = BuiltinType {
    fields: &[
        ("env", NAMED),
        ("ports", BuiltinField::Keyed(&["containerPort", "protocol"], None)),
        VOLUME_DEVICES,
        VOLUME_MOUNTS,
    ],
};
static EPHEMERAL_CONTAINER: BuiltinType = BuiltinType { fields: &[("env", NAMED), VOLUME_DEVICES, VOLUME_MOUNTS] };
static VOLUME: BuiltinType = BuiltinType { fields: &[("ephemeral", BuiltinField::Object(&EPHEMERAL_VOLUME))] };
static EPHEMERAL_VOLUME: BuiltinType = BuiltinType { fields: &[("volumeClaimTemplate", BuiltinField::Object(&PLAIN))] };
static NODE: BuiltinType = BuiltinType {
    fields: &[META, ("spec", BuiltinField::Object(&NODE_SPEC)), ("status", BuiltinField::Object(&NODE_STATUS))],
};
static NODE_SPEC: BuiltinType = BuiltinType { fields: &[("podCIDRs", BuiltinField::Set)] };
static NODE_STATUS: BuiltinType = BuiltinType { fields: &[("addresses", TYPED), ("conditions", TYPED)] };
static SERVICE: BuiltinType =
    BuiltinType { fields: &[META, ("spec", BuiltinField::Object(&SERVICE_SPEC)), CONDITIONS] };
static SERVICE_SPEC: BuiltinType =
    BuiltinType { fields: &[("ports", BuiltinField::Keyed(&["port", "protocol"], None))] };
static SERVICE_ACCOUNT: BuiltinType = BuiltinType { fields: &[META, ("secrets", NAMED)] };
static COMPONENT_STATUS: BuiltinType = BuiltinType { fields: &[META, ("conditions", TYPED)] };
static CSI_NODE: BuiltinType = BuiltinType { fields: &[META, ("spec", BuiltinField::Object(&CSI_NODE_SPEC))] };
static CSI_NODE_SPEC: BuiltinType = BuiltinType { fields: &[("drivers", NAMED)] };

/// Returns the type of a kind, or `None` for kinds that kustomize does not know. Their lists are replaced as a whole.
///
/// # Source
/// The OpenAPI document of Kubernetes 1.21.2, which kustomize 5.8 embeds: `x-kubernetes-patch-strategy`,
/// `x-kubernetes-patch-merge-key` and `x-kubernetes-list-map-keys`.
pub(crate) fn of_kind(api_version: &str, kind: &str) -> Option<&'static BuiltinType> {
    match api_version {
        "v1" => core(kind),
        "apps/v1" => match kind {
            "DaemonSet" | "Deployment" | "ReplicaSet" | "StatefulSet" => Some(&WORKLOAD),
            "ControllerRevision" => Some(&PLAIN),
            _ => None,
        },
        "batch/v1" if kind == "Job" => Some(&WORKLOAD),
        "batch/v1" | "batch/v1beta1" => (kind == "CronJob").then_some(&CRON_JOB),
        "admissionregistration.k8s.io/v1" | "admissionregistration.k8s.io/v1beta1" => {
            matches!(kind, "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration").then_some(&WEBHOOKS)
        }
        "policy/v1" | "policy/v1beta1" if kind == "PodDisruptionBudget" => Some(&WITH_CONDITIONS),
        "apiregistration.k8s.io/v1" | "apiregistration.k8s.io/v1beta1" => {
            (kind == "APIService").then_some(&WITH_CONDITIONS)
        }
        "storage.k8s.io/v1" | "storage.k8s.io/v1beta1" if kind == "CSINode" => Some(&CSI_NODE),
        _ => is_plain(api_version, kind).then_some(&PLAIN),
    }
}

fn core(kind: &str) -> Option<&'static BuiltinType> {
    Some(match kind {
        "ComponentStatus" => &COMPONENT_STATUS,
        "Namespace" | "PersistentVolumeClaim" => &WITH_CONDITIONS,
        "Node" => &NODE,
        "Pod" => &POD,
        "PodTemplate" => &POD_TEMPLATE_OBJECT,
        "ReplicationController" => &WORKLOAD,
        "Service" => &SERVICE,
        "ServiceAccount" => &SERVICE_ACCOUNT,
        "Binding" | "ConfigMap" | "Endpoints" | "Event" | "LimitRange" | "PersistentVolume" | "ResourceQuota"
        | "Secret" => &PLAIN,
        _ => return None,
    })
}

/// Returns `true` if a kind is known and has no merged lists except those of its metadata.
fn is_plain(api_version: &str, kind: &str) -> bool {
    match api_version {
        "autoscaling/v1" => matches!(kind, "HorizontalPodAutoscaler" | "Scale"),
        "autoscaling/v2beta1" | "autoscaling/v2beta2" => kind == "HorizontalPodAutoscaler",
        "certificates.k8s.io/v1" | "certificates.k8s.io/v1beta1" => kind == "CertificateSigningRequest",
        "coordination.k8s.io/v1" | "coordination.k8s.io/v1beta1" => kind == "Lease",
        "discovery.k8s.io/v1" | "discovery.k8s.io/v1beta1" => kind == "EndpointSlice",
        "events.k8s.io/v1" | "events.k8s.io/v1beta1" => kind == "Event",
        "extensions/v1beta1" => kind == "Ingress",
        "flowcontrol.apiserver.k8s.io/v1beta1" => matches!(kind, "FlowSchema" | "PriorityLevelConfiguration"),
        "networking.k8s.io/v1" => matches!(kind, "Ingress" | "IngressClass" | "NetworkPolicy"),
        "networking.k8s.io/v1beta1" => matches!(kind, "Ingress" | "IngressClass"),
        "node.k8s.io/v1" | "node.k8s.io/v1beta1" => kind == "RuntimeClass",
        "policy/v1beta1" => matches!(kind, "Eviction" | "PodSecurityPolicy"),
        "rbac.authorization.k8s.io/v1" | "rbac.authorization.k8s.io/v1beta1" => {
            matches!(kind, "ClusterRole" | "ClusterRoleBinding" | "Role" | "RoleBinding")
        }
        "scheduling.k8s.io/v1" | "scheduling.k8s.io/v1beta1" => kind == "PriorityClass",
        "storage.k8s.io/v1" => matches!(kind, "CSIDriver" | "StorageClass" | "VolumeAttachment"),
        "storage.k8s.io/v1beta1" => {
            matches!(kind, "CSIDriver" | "CSIStorageCapacity" | "StorageClass" | "VolumeAttachment")
        }
        "apiextensions.k8s.io/v1" | "apiextensions.k8s.io/v1beta1" => kind == "CustomResourceDefinition",
        "authentication.k8s.io/v1" => matches!(kind, "TokenRequest" | "TokenReview"),
        "authentication.k8s.io/v1beta1" => kind == "TokenReview",
        "authorization.k8s.io/v1" | "authorization.k8s.io/v1beta1" => matches!(
            kind,
            "LocalSubjectAccessReview" | "SelfSubjectAccessReview" | "SelfSubjectRulesReview" | "SubjectAccessReview"
        ),
        _ => false,
    }
}
