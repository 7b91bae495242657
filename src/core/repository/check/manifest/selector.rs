//! Checks that the selector of a workload matches the labels of its pods.
//!
//! # Source
//! Kubernetes `pkg/apis/apps/validation`: "`selector` does not match template `labels`", and "empty selector is invalid".

use serde_json::{Map, Value};

use super::variable::{is_in, is_key_of, is_value};
use super::{Manifest, Problems};
use tidegate_api::schema::path::Path;

/// The kinds of apps/v1 with a selector and a pod template.
const KINDS: [&str; 4] = ["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"];

/// Adds an error for each requirement of the selector that the labels do not meet.
pub(super) fn check(manifest: Manifest<'_>, problems: &mut Problems) {
    let Some(selector) = manifest.value.pointer("/spec/selector").filter(|selector| selector.is_object()) else {
        return;
    };
    if manifest.group != "apps" || !KINDS.contains(&manifest.kind) || has_variables(selector) {
        return;
    }
    let Some(labels) = labels(manifest.value) else { return };
    let at = manifest.path(&["spec", "selector"]);
    let mut error = |at: &Path, message: String| problems.error(manifest.template.value_origin(at), || message);
    let exact = selector.get("matchLabels").and_then(Value::as_object).into_iter().flatten();
    let expressions = selector.get("matchExpressions").and_then(Value::as_array).into_iter().flatten();
    if exact.clone().next().is_none() && expressions.clone().next().is_none() {
        return error(&at, format!("{at} is empty; write a label of spec.template.metadata.labels in matchLabels"));
    }
    for (key, value) in exact {
        if let Some(label) = mismatch(labels, key, value) {
            let at = at.member("matchLabels").member(key);
            let remedy = "write the same value in both, or an API server refuses this";
            error(&at, format!("{at} is {value}, but {label} in spec.template.metadata.labels; {remedy}"));
        }
    }
    for (index, requirement) in expressions.enumerate() {
        if let Some(label) = unmet(labels, requirement) {
            let at = at.member("matchExpressions").item(index);
            let remedy = "change one of the two, or an API server refuses this";
            error(&at, format!("{at} is not met, because {label} in spec.template.metadata.labels; {remedy}"));
        }
    }
}

/// Returns `true` if a field of a selector, or the key of a label in it, is not known.
fn has_variables(selector: &Value) -> bool {
    let is_open = |field: &str| selector.get(field).is_some_and(|value| is_value(value) || is_key_of(value));
    is_key_of(selector) || is_open("matchLabels") || is_open("matchExpressions")
}

/// Returns the labels of the pods; `None` if they are not known.
fn labels(workload: &Value) -> Option<&Map<String, Value>> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    let template = workload.pointer("/spec/template")?.as_object()?;
    let Some(metadata) = template.get("metadata").filter(|metadata| !metadata.is_null()) else { return Some(&NONE) };
    match metadata.as_object()?.get("labels") {
        None | Some(Value::Null) => Some(&NONE),
        Some(labels) if is_key_of(labels) => None,
        Some(labels) => labels.as_object(),
    }
}

/// Returns what the label of a key is if it is certainly not the value that the selector has.
fn mismatch(labels: &Map<String, Value>, key: &str, value: &Value) -> Option<String> {
    let label = labels.get(key);
    let is_open = is_in(key) || is_value(value) || !value.is_string();
    (label != Some(value) && !is_open).then(|| described(key, label)).flatten()
}

/// Returns what a label is; `None` if that is not known.
fn described(key: &str, label: Option<&Value>) -> Option<String> {
    match label {
        None => Some(format!("there is no label {key:?}")),
        Some(Value::String(text)) if !is_in(text) => Some(format!("the label {key:?} is {text:?}")),
        Some(_) => None,
    }
}

/// Returns what the label of a requirement is if it certainly does not meet it.
fn unmet(labels: &Map<String, Value>, requirement: &Value) -> Option<String> {
    let key = requirement.get("key")?.as_str().filter(|key| !is_in(key))?;
    let values = requirement.get("values").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if values.iter().any(|value| is_value(value) || !value.is_string()) {
        return None;
    }
    let label = labels.get(key);
    let is_listed = label.is_some_and(|label| values.contains(label));
    let is_unmet = match requirement.get("operator")?.as_str()? {
        "In" => !is_listed,
        "NotIn" => is_listed,
        "Exists" => label.is_none(),
        "DoesNotExist" => label.is_some(),
        _ => false,
    };
    if is_unmet { described(key, label) } else { None }
}
