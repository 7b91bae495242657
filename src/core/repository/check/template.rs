//! Checks of an AddOnTemplate: each manifest must be an object that an API server accepts, each variable must be closed, custom signers
//! must have names of their own, and hub permissions must name roles that can be bound.

use serde_json::Value;

use super::manifest;
use crate::read::notes::Notes;
use crate::read::object::path;
use crate::reference::hub_permissions::{Wanted, replaced, wanted};
use tidegate_api::schema::path::Path;

/// Adds the problems of a template.
pub(super) fn check(notes: &mut Notes<'_>) {
    manifests(notes);
    signers(notes);
    hub_permissions(notes);
    manifest::check(notes);
}

/// Adds a complaint for each custom signer in the domain of Kubernetes. The template could give its agent any user of the hub.
fn signers(notes: &mut Notes<'_>) {
    let object = notes.object;
    let registrations = object.value.pointer("/spec/registration").and_then(Value::as_array);
    for (index, registration) in registrations.into_iter().flatten().enumerate() {
        let name = registration.pointer("/customSigner/signerName").and_then(Value::as_str).unwrap_or_default();
        if name.starts_with("kubernetes.io/") {
            let at = path(&["spec", "registration"]).item(index).member("customSigner").member("signerName");
            let message = format!(
                "{at} is {name:?}, but the domain kubernetes.io is reserved for Kubernetes; for a certificate of the hub's API server, write \
                 type: KubeClient, and otherwise another domain"
            );
            notes.error(object.value_origin(&at), message);
        }
    }
}

/// Adds the problems of the kind and name of a manifest. The name may contain a variable, so that its final value is known only per cluster.
pub(crate) fn identity(notes: &mut Notes<'_>, at: &Path, manifest: &Value) {
    let object = notes.object;
    let metadata = manifest.get("metadata");
    let required = [
        (at.member("apiVersion"), manifest.get("apiVersion")),
        (at.member("kind"), manifest.get("kind")),
        (at.member("metadata").member("name"), metadata.and_then(|metadata| metadata.get("name"))),
    ];
    for (at, value) in required {
        match value {
            Some(Value::String(text)) if !text.is_empty() => {}
            None => notes.error(object.key_origin(&at), format!("{at} is missing; add it")),
            Some(_) => notes.error(object.value_origin(&at), format!("{at} must be a non-empty string")),
        }
    }
}

fn manifests(notes: &mut Notes<'_>) {
    let object = notes.object;
    let manifests = object.value.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    for (index, manifest) in manifests.into_iter().flatten().enumerate() {
        let at = path(&["spec", "agentSpec", "workload", "manifests"]).item(index);
        if !manifest.is_object() {
            continue;
        }
        identity(notes, &at, manifest);
        variables(notes, &at, manifest);
    }
}

/// Adds a warning for each hub permission for which the agents get no RoleBinding. The add-on is installed nevertheless.
fn hub_permissions(notes: &mut Notes<'_>) {
    let object = notes.object;
    let all = wanted(&object.value);
    for Wanted { path, role } in &all {
        if let Err(unusable) = role {
            let message = format!("{path} {unusable}; until then, the agents do not get this role");
            notes.warning(object.value_origin(path), message);
        }
    }
    for (earlier, later) in replaced(&all) {
        let message = format!(
            "{} gives another role of the same kind in the same namespace as {}, and the name of the RoleBinding contains only the \
             kind: Tidegate binds the later one only, and OCM's add-on manager fails; give one role that allows both",
            later.path, earlier.path
        );
        notes.warning(object.value_origin(&later.path), message);
    }
}

/// Adds a complaint for each string with a `{{` that no `}}` follows: upstream's renderer crashes on it, or drops what follows.
fn variables(notes: &mut Notes<'_>, at: &Path, value: &Value) {
    if notes.is_full() {
        return;
    }
    match value {
        Value::String(text) if opens(text) => {
            let origin = notes.object.value_origin(at);
            notes.error(
                origin,
                format!("{at} opens a variable with \"{{{{\" and does not close it; write \"}}}}\" after its name"),
            );
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| variables(notes, &at.item(i), item)),
        Value::Object(members) => {
            for (name, member) in members {
                let at = at.member(name);
                if opens(name) {
                    let origin = notes.object.key_origin(&at);
                    let message = format!(
                        "the key {name:?} opens a variable and does not close it; write \"}}}}\" after its name"
                    );
                    notes.error(origin, message);
                }
                variables(notes, &at, member);
            }
        }
        _ => {}
    }
}

fn opens(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, tail)) = rest.split_once("{{") {
        match tail.split_once("}}") {
            Some((_, after)) => rest = after,
            None => return true,
        }
    }
    false
}
