//! The kinds of traits: their schemas, what they need, and how they are applied.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::objects::{autoscaler, network, service_account, storage};
use super::target::{Problem, Target};
use super::workload::{affinity, container, env, metadata, patch, sidecar, strategy};
use crate::application::rollout;
use crate::application::types::Types;

/// The traits with the schemas of their properties.
pub(crate) static TRAITS: LazyLock<Types> = LazyLock::new(|| {
    let types = [
        ("affinity", affinity::schema()),
        ("annotations", metadata::schema()),
        ("command", container::command_schema()),
        ("container-image", container::image_schema()),
        ("cpuscaler", autoscaler::cpu_schema()),
        ("env", env::schema()),
        ("expose", network::expose_schema()),
        ("gateway", network::gateway_schema()),
        ("hpa", autoscaler::schema()),
        ("json-merge-patch", patch::merge_schema()),
        ("json-patch", patch::schema()),
        ("k8s-update-strategy", strategy::schema()),
        ("labels", metadata::schema()),
        ("resource", container::resource_schema()),
        ("rollout", rollout::schema()),
        ("scaler", strategy::scaler_schema()),
        ("service-account", service_account::schema()),
        ("sidecar", sidecar::schema()),
        ("storage", storage::schema()),
    ];
    Types::new("trait", types, &UNSUPPORTED)
});

/// Traits of KubeVela that are not supported, with what to do instead.
const UNSUPPORTED: [(&str, &str); 14] = [
    ("container-ports", "list the ports in the properties of the component"),
    ("hostalias", "write hostAliases in the properties of the component"),
    ("init-container", "add the container with a json-patch"),
    ("lifecycle", "add it to the container with a json-patch"),
    ("nocalhost", "remove it"),
    ("podsecuritycontext", "write it as a json-merge-patch"),
    ("pure-ingress", "write a gateway"),
    ("pvc", "write a storage, which also makes PersistentVolumeClaims"),
    ("securitycontext", "add it to the container with a json-patch"),
    ("service-binding", "write env in the properties of the component"),
    ("startup-probe", "add it to the container with a json-patch"),
    ("topologyspreadconstraints", "write them as a json-merge-patch"),
    ("kustomize-patch", "write a json-patch or a json-merge-patch"),
    ("kustomize-json-patch", "write a json-patch"),
];

/// Returns `true` for a trait whose properties are a patch, in which null means something.
pub(in crate::application) fn is_patch(type_: &str) -> bool {
    matches!(type_, "json-patch" | "json-merge-patch")
}

/// Returns what the workload of a component lacks for a trait; `None` if it lacks nothing.
pub(super) fn lack(type_: &str, workload: &Value) -> Option<&'static str> {
    let kind = workload.get("kind").and_then(Value::as_str).unwrap_or_default();
    let has = |pointer: &str| workload.pointer(pointer).is_some();
    let has_container = has("/spec/template/spec/containers/0");
    match type_ {
        "cpuscaler" | "hpa" | "scaler"
            if !matches!(kind, "Deployment" | "StatefulSet" | "ReplicaSet") && !has("/spec/replicas") =>
        {
            Some("a Deployment, a StatefulSet, a ReplicaSet or another kind with replicas")
        }
        "gateway" if !matches!(kind, "Deployment" | "StatefulSet") => Some("a Deployment or a StatefulSet"),
        "k8s-update-strategy" if !matches!(kind, "Deployment" | "StatefulSet" | "DaemonSet") => {
            Some("a Deployment, a StatefulSet or a DaemonSet")
        }
        "resource" if !has_container && !has("/spec/jobTemplate/spec/template/spec/containers/0") => {
            Some("a workload with a container")
        }
        "env" | "command" | "container-image" | "sidecar" | "storage" if !has_container => {
            Some("a workload with a container")
        }
        "affinity" | "service-account" if !has("/spec/template/spec") => Some("a workload with pods"),
        _ => None,
    }
}

/// Applies a trait.
pub(super) fn apply(type_: &str, properties: &Map<String, Value>, target: &mut Target<'_>) -> Result<(), Problem> {
    match type_ {
        "affinity" => affinity::apply(properties, target),
        "annotations" | "labels" => metadata::apply(type_, properties, target),
        "command" => container::command(properties, target)?,
        "container-image" => container::image(properties, target)?,
        "cpuscaler" => autoscaler::apply_cpu(properties, target)?,
        "env" => env::apply(properties, target),
        "expose" => network::expose(properties, target),
        "gateway" => network::gateway(properties, target)?,
        "hpa" => autoscaler::apply(properties, target)?,
        "json-merge-patch" => patch::merge(properties, target)?,
        "json-patch" => patch::apply(properties, target)?,
        "k8s-update-strategy" => strategy::apply(properties, target)?,
        "resource" => container::resource(properties, target)?,
        "scaler" => strategy::scale(properties, target),
        "service-account" => service_account::apply(properties, target)?,
        "sidecar" => sidecar::apply(properties, target)?,
        "storage" => storage::apply(properties, target)?,
        // Applied after all others.
        "rollout" => {}
        _ => {}
    }
    Ok(())
}
