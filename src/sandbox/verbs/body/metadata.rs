//! Validation of object metadata, with the messages of an API server.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/api/validation`.

use serde_json::Value;

use crate::api_error::Cause;
use crate::kind::Kind;
use crate::names;
use crate::object::{self, FOREGROUND, ORPHAN};
use tidegate_go::label;
use tidegate_go::quote::go_quoted;

/// Maximum total size of all annotations of an object, in bytes.
const ANNOTATIONS_LIMIT: usize = 256 * 1024;

type Rule = fn(&str) -> Vec<String>;

/// Returns the name validation of a kind.
fn rule(kind: &Kind) -> Rule {
    match (kind.group.as_str(), kind.plural.as_str()) {
        ("rbac.authorization.k8s.io", _) => names::path_segment,
        ("", "namespaces") => names::namespace,
        _ => label::subdomain_faults,
    }
}

/// Returns the errors in the metadata of an object to be created.
pub(in crate::verbs) fn created(kind: &Kind, object: &Value) -> Vec<Cause> {
    let rule = rule(kind);
    let causes = with_name(object, rule);
    // If a server finds no error, it also validates the name as a path segment, which the other rules imply.
    if kind.custom || !causes.is_empty() { causes } else { with_name(object, names::path_segment) }
}

/// Returns the errors in the metadata of an updated object. A real server validates them three times, for some kinds four times,
/// and reports the errors of each pass.
pub(in crate::verbs) fn changed(kind: &Kind, before: &Value, after: &Value) -> Vec<Cause> {
    let mut causes = with_name(after, names::path_segment);
    let change = change(before, after);
    causes.extend(change.iter().cloned());
    causes.extend(change);
    let looks_again = matches!(kind.plural.as_str(), "configmaps" | "secrets" | "serviceaccounts")
        || kind.group == "rbac.authorization.k8s.io";
    if looks_again && !kind.custom {
        causes.extend(with_name(after, rule(kind)));
    }
    causes
}

fn with_name(object: &Value, rule: Rule) -> Vec<Cause> {
    let mut causes = Vec::new();
    let (stem, name) = (object::text(object, "generateName"), object::text(object, "name"));
    if !stem.is_empty() {
        // The generated suffix makes a trailing dash valid, so it is replaced with a letter before validation.
        let mut before = stem.strip_suffix('-').unwrap_or_default().chars();
        let whole = match before.next_back() {
            None => stem.to_owned(),
            Some(_) => format!("{}a", before.as_str()),
        };
        causes.extend(rule(&whole).into_iter().map(|why| invalid("metadata.generateName", stem, &why)));
    }
    if name.is_empty() {
        let message = "Required value: name or generateName is required";
        causes.push(Cause::new("FieldValueRequired", "metadata.name", message));
    } else {
        causes.extend(rule(name).into_iter().map(|why| invalid("metadata.name", name, &why)));
    }
    causes.extend(common(object));
    causes.extend(finalizers(object));
    causes
}

fn change(before: &Value, after: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let held = object::finalizers(before);
    let mut added: Vec<&str> = object::finalizers(after).into_iter().filter(|name| !held.contains(name)).collect();
    if object::is_being_deleted(before) && !added.is_empty() {
        added.sort_unstable();
        added.dedup();
        let added: Vec<String> = added.into_iter().map(go_quoted).collect();
        let message = format!(
            "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
            added.join(", ")
        );
        causes.push(Cause::new("FieldValueForbidden", "metadata.finalizers", message));
    }
    let (uid, known) = (object::text(after, "uid"), object::text(before, "uid"));
    if !uid.is_empty() && uid != known {
        causes.push(invalid("metadata.uid", uid, "field is immutable"));
    }
    causes.extend(common(after));
    causes
}

fn common(object: &Value) -> Vec<Cause> {
    let texts = |member: &str| {
        let members = object::metadata(object, member).and_then(Value::as_object).into_iter().flatten();
        members.filter_map(|(key, value)| Some((key.as_str(), value.as_str()?))).collect::<Vec<_>>()
    };
    let mut causes = Vec::new();
    for (key, value) in texts("labels") {
        causes.extend(label::label_key_faults(key).into_iter().map(|why| invalid("metadata.labels", key, &why)));
        causes.extend(label::value_faults(value).into_iter().map(|why| invalid("metadata.labels", value, &why)));
    }
    let annotations = texts("annotations");
    for (key, _) in &annotations {
        let found = label::label_key_faults(&key.to_lowercase());
        causes.extend(found.into_iter().map(|why| invalid("metadata.annotations", key, &why)));
    }
    if annotations.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>() > ANNOTATIONS_LIMIT {
        let message = format!("Too long: may not be more than {ANNOTATIONS_LIMIT} bytes");
        causes.push(Cause::new("FieldValueTooLong", "metadata.annotations", message));
    }
    causes.extend(owners(object));
    causes
}

fn owners(object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let mut controller: Option<String> = None;
    let list = object::metadata(object, "ownerReferences").and_then(Value::as_array);
    for owner in list.into_iter().flatten() {
        let text = |member: &str| owner.get(member).and_then(Value::as_str).unwrap_or_default();
        let version = text("apiVersion").rsplit('/').next().unwrap_or_default();
        let mut need = |member: &str, given: &str, why: &str| {
            if given.is_empty() {
                causes.push(invalid(&format!("metadata.ownerReferences.{member}"), text(member), why));
            }
        };
        need("apiVersion", version, "version must not be empty");
        for member in ["kind", "name", "uid"] {
            need(member, text(member), "must not be empty");
        }
        if (text("apiVersion"), text("kind")) == ("v1", "Event") {
            let why = "/v1, Kind=Event is disallowed from being an owner";
            causes.push(Cause::invalid("metadata.ownerReferences", &owner.to_string(), why));
        }
        if owner.get("controller") == Some(&Value::Bool(true)) {
            let name = format!("{}/{}", text("kind"), text("name"));
            if let Some(first) = &controller {
                let why = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"
                );
                let all = object::metadata(object, "ownerReferences").map(Value::to_string).unwrap_or_default();
                causes.push(Cause::invalid("metadata.ownerReferences", &all, &why));
            } else {
                controller = Some(name);
            }
        }
    }
    causes
}

fn finalizers(object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let given = object::finalizers(object);
    for name in &given {
        causes.extend(label::label_key_faults(name).into_iter().map(|why| invalid("metadata.finalizers", name, &why)));
    }
    if given.contains(&ORPHAN) && given.contains(&FOREGROUND) {
        let all = serde_json::json!(given).to_string();
        let why = format!("finalizer {ORPHAN} and {FOREGROUND} cannot be both set");
        causes.push(Cause::invalid("metadata.finalizers", &all, &why));
    }
    causes
}

/// Returns the warnings for finalizers that are added to a custom resource.
///
/// # Source
/// `validateKubeFinalizerName` of `k8s.io/apiextensions-apiserver`.
pub(in crate::verbs) fn finalizer_warnings(before: Option<&Value>, after: &Value) -> Vec<String> {
    let held = before.map(object::finalizers).unwrap_or_default();
    let mut added: Vec<&str> = object::finalizers(after).into_iter().filter(|name| !held.contains(name)).collect();
    added.sort_unstable();
    let unqualified =
        added.into_iter().filter(|name| !name.contains('/') && ![ORPHAN, FOREGROUND, "kubernetes"].contains(name));
    let warning = |name: &str| {
        let including = if name.contains('.') { " including a path (/)" } else { "" };
        format!(
            "metadata.finalizers: {}: prefer a domain-qualified finalizer name{including} to avoid accidental conflicts with other finalizer writers",
            go_quoted(name)
        )
    };
    unqualified.map(warning).collect()
}

fn invalid(field: &str, value: &str, why: &str) -> Cause {
    Cause::invalid(field, &go_quoted(value), why)
}
