//! The protobuf messages of the core kinds.

use super::field::FieldType::{ByteMap, Bytes, Flag, Int, Many, MaybeInt, MicroTime, One, Text, TextMap, Texts, Time};
use super::field::Message;

/// The `TypeMeta` of an object.
pub(super) const TYPE: Message = &[(1, "apiVersion", Text), (2, "kind", Text)];

/// Returns the message of a kind.
pub(super) fn of(api_version: &str, kind: &str) -> Option<Message> {
    Some(match (api_version, kind) {
        ("v1", "Namespace") => NAMESPACE,
        ("v1", "ConfigMap") => CONFIG_MAP,
        ("v1", "Secret") => SECRET,
        ("v1", "ServiceAccount") => SERVICE_ACCOUNT,
        ("v1", "Event") => EVENT,
        ("v1" | "meta.k8s.io/v1", "DeleteOptions") => DELETE_OPTIONS,
        ("coordination.k8s.io/v1", "Lease") => LEASE,
        ("rbac.authorization.k8s.io/v1", "Role" | "ClusterRole") => ROLE,
        ("rbac.authorization.k8s.io/v1", "RoleBinding" | "ClusterRoleBinding") => ROLE_BINDING,
        ("certificates.k8s.io/v1", "CertificateSigningRequest") => SIGNING_REQUEST,
        _ => return None,
    })
}

const OWNER: Message = &[
    (1, "kind", Text),
    (3, "name", Text),
    (4, "uid", Text),
    (5, "apiVersion", Text),
    (6, "controller", Flag),
    (7, "blockOwnerDeletion", Flag),
];
const METADATA: Message = &[
    (1, "name", Text),
    (2, "generateName", Text),
    (3, "namespace", Text),
    (5, "uid", Text),
    (6, "resourceVersion", Text),
    (7, "generation", Int),
    (8, "creationTimestamp", Time),
    (9, "deletionTimestamp", Time),
    (10, "deletionGracePeriodSeconds", MaybeInt),
    (11, "labels", TextMap),
    (12, "annotations", TextMap),
    (13, "ownerReferences", Many(OWNER)),
    (14, "finalizers", Texts),
];
const REFERENCE: Message = &[
    (1, "kind", Text),
    (2, "namespace", Text),
    (3, "name", Text),
    (4, "uid", Text),
    (5, "apiVersion", Text),
    (6, "resourceVersion", Text),
    (7, "fieldPath", Text),
];
const LABEL_SELECTOR: Message = &[
    (1, "matchLabels", TextMap),
    (2, "matchExpressions", Many(&[(1, "key", Text), (2, "operator", Text), (3, "values", Texts)])),
];
const NAMESPACE: Message = &[
    (1, "metadata", One(METADATA)),
    (2, "spec", One(&[(1, "finalizers", Texts)])),
    (3, "status", One(&[(1, "phase", Text)])),
];
const CONFIG_MAP: Message =
    &[(1, "metadata", One(METADATA)), (2, "data", TextMap), (3, "binaryData", ByteMap), (4, "immutable", Flag)];
const SECRET: Message = &[
    (1, "metadata", One(METADATA)),
    (2, "data", ByteMap),
    (3, "type", Text),
    (4, "stringData", TextMap),
    (5, "immutable", Flag),
];
const SERVICE_ACCOUNT: Message = &[
    (1, "metadata", One(METADATA)),
    (2, "secrets", Many(REFERENCE)),
    (3, "imagePullSecrets", Many(&[(1, "name", Text)])),
    (4, "automountServiceAccountToken", Flag),
];
const EVENT: Message = &[
    (1, "metadata", One(METADATA)),
    (2, "involvedObject", One(REFERENCE)),
    (3, "reason", Text),
    (4, "message", Text),
    (5, "source", One(&[(1, "component", Text), (2, "host", Text)])),
    (6, "firstTimestamp", Time),
    (7, "lastTimestamp", Time),
    (8, "count", Int),
    (9, "type", Text),
    (10, "eventTime", MicroTime),
    (11, "series", One(&[(1, "count", Int), (2, "lastObservedTime", MicroTime)])),
    (12, "action", Text),
    (13, "related", One(REFERENCE)),
    (14, "reportingComponent", Text),
    (15, "reportingInstance", Text),
];
const DELETE_OPTIONS: Message = &[
    (1, "gracePeriodSeconds", MaybeInt),
    (2, "preconditions", One(&[(1, "uid", Text), (2, "resourceVersion", Text)])),
    (3, "orphanDependents", Flag),
    (4, "propagationPolicy", Text),
    (5, "dryRun", Texts),
];
const LEASE: Message = &[
    (1, "metadata", One(METADATA)),
    (
        2,
        "spec",
        One(&[
            (1, "holderIdentity", Text),
            (2, "leaseDurationSeconds", MaybeInt),
            (3, "acquireTime", MicroTime),
            (4, "renewTime", MicroTime),
            (5, "leaseTransitions", MaybeInt),
            (6, "strategy", Text),
            (7, "preferredHolder", Text),
        ]),
    ),
];
const RULE: Message = &[
    (1, "verbs", Texts),
    (2, "apiGroups", Texts),
    (3, "resources", Texts),
    (4, "resourceNames", Texts),
    (5, "nonResourceURLs", Texts),
];
const ROLE: Message = &[
    (1, "metadata", One(METADATA)),
    (2, "rules", Many(RULE)),
    (3, "aggregationRule", One(&[(1, "clusterRoleSelectors", Many(LABEL_SELECTOR))])),
];
const ROLE_BINDING: Message = &[
    (1, "metadata", One(METADATA)),
    (2, "subjects", Many(&[(1, "kind", Text), (2, "apiGroup", Text), (3, "name", Text), (4, "namespace", Text)])),
    (3, "roleRef", One(&[(1, "apiGroup", Text), (2, "kind", Text), (3, "name", Text)])),
];
const CONDITION: Message = &[
    (1, "type", Text),
    (2, "reason", Text),
    (3, "message", Text),
    (4, "lastUpdateTime", Time),
    (5, "lastTransitionTime", Time),
    (6, "status", Text),
];
const SIGNING_REQUEST: Message = &[
    (1, "metadata", One(METADATA)),
    (
        2,
        "spec",
        One(&[
            (1, "request", Bytes),
            (2, "username", Text),
            (3, "uid", Text),
            (4, "groups", Texts),
            (5, "usages", Texts),
            (7, "signerName", Text),
            (8, "expirationSeconds", MaybeInt),
        ]),
    ),
    (3, "status", One(&[(1, "conditions", Many(CONDITION)), (2, "certificate", Bytes)])),
];
