//! The fields of built-in kinds in which references to vars are replaced.
//!
//! # Source
//! kustomize 5.8.1, `builtinpluginconsts`, with its path of nfs servers in a CronJob that no object has.

/// The kinds with the spec of a pod, and its path.
pub(crate) const PODS: [(&str, &str); 7] = [
    ("CronJob", "spec/jobTemplate/spec/template/spec"),
    ("DaemonSet", "spec/template/spec"),
    ("Deployment", "spec/template/spec"),
    ("Job", "spec/template/spec"),
    ("Pod", "spec"),
    ("ReplicaSet", "spec/template/spec"),
    ("StatefulSet", "spec/template/spec"),
];

/// The fields in the spec of a pod.
pub(crate) const IN_PODS: [&str; 8] = [
    "containers/args",
    "containers/command",
    "containers/env/value",
    "containers/volumeMounts/mountPath",
    "initContainers/args",
    "initContainers/command",
    "initContainers/env/value",
    "initContainers/volumeMounts/mountPath",
];

/// All other fields, with their kinds.
pub(crate) const OTHERS: [(&str, &str); 16] = [
    ("CronJob", "spec/jobTemplate/spec/template/volumes/nfs/server"),
    ("DaemonSet", "spec/template/spec/volumes/nfs/server"),
    ("Deployment", "spec/template/spec/volumes/nfs/server"),
    ("Deployment", "spec/template/metadata/annotations"),
    ("Ingress", "spec/rules/host"),
    ("Ingress", "spec/tls/hosts"),
    ("Ingress", "spec/tls/secretName"),
    ("Job", "spec/template/spec/volumes/nfs/server"),
    ("PersistentVolume", "spec/nfs/server"),
    ("Pod", "spec/volumes/nfs/server"),
    ("ReplicaSet", "spec/template/spec/volumes/nfs/server"),
    ("Service", "spec/ports/port"),
    ("Service", "spec/ports/targetPort"),
    ("StatefulSet", "spec/volumeClaimTemplates/spec/nfs/server"),
    ("", "metadata/labels"),
    ("", "metadata/annotations"),
];
