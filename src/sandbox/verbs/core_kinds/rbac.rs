//! Validation and defaulting of roles and role bindings.
//!
//! # Source
//! `k8s.io/kubernetes/pkg/apis/rbac`.

use serde_json::{Value, json};

use crate::api_error::Cause;
use crate::kind::Kind;
use crate::object;
use tidegate_go::quote::go_quoted;

const GROUP: &str = "rbac.authorization.k8s.io";

fn is_binding(object: &Value) -> bool {
    object.get("kind").and_then(Value::as_str).is_some_and(|kind| kind.ends_with("Binding"))
}

/// Fills in defaults.
pub(in crate::verbs) fn fill(object: &mut Value) {
    if !is_binding(object) {
        object::fill_absent(object, &json!({ "rules": null }));
        return;
    }
    object::fill_absent(object, &json!({ "roleRef": {} }));
    let reference = object::members_mut(&mut object["roleRef"]);
    let group = reference.entry("apiGroup").or_insert_with(|| json!(""));
    if group == "" {
        *group = json!(GROUP);
    }
    for member in ["kind", "name"] {
        reference.entry(member).or_insert_with(|| json!(""));
    }
    for subject in object.get_mut("subjects").and_then(Value::as_array_mut).into_iter().flatten() {
        let of_group = matches!(subject.get("kind").and_then(Value::as_str), Some("User" | "Group"));
        if of_group && subject.get("apiGroup").is_none_or(|group| group == "") {
            object::members_mut(subject).insert("apiGroup".to_owned(), json!(GROUP));
        }
    }
}

fn required(field: String, why: &str) -> Cause {
    let message = if why.is_empty() { "Required value".to_owned() } else { format!("Required value: {why}") };
    Cause::new("FieldValueRequired", field, message)
}

fn unsupported(field: String, given: &str, known: &str) -> Cause {
    let message = format!("Unsupported value: {}: supported values: {known}", go_quoted(given));
    Cause::new("FieldValueNotSupported", field, message)
}

/// Returns the errors in a role or role binding.
pub(in crate::verbs) fn causes(kind: &Kind, before: Option<&Value>, object: &Value) -> Vec<Cause> {
    if is_binding(object) { binding_causes(kind, before, object) } else { role_causes(kind, object) }
}

fn role_causes(kind: &Kind, object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let rules = object.get("rules").and_then(Value::as_array).into_iter().flatten();
    for (at, rule) in rules.enumerate() {
        let has = |member: &str| rule.get(member).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        let mut need = |member: &str, why: &str| {
            if !has(member) {
                causes.push(required(format!("rules[{at}].{member}"), why));
            }
        };
        need("verbs", "verbs must contain at least one value");
        let urls = format!("rules[{at}].nonResourceURLs");
        let given = || rule.get("nonResourceURLs").map(Value::to_string).unwrap_or_default();
        if has("nonResourceURLs") && kind.namespaced {
            let why = "namespaced rules cannot apply to non-resource URLs";
            causes.push(Cause::invalid(urls, &given(), why));
        } else if has("nonResourceURLs") && ["apiGroups", "resources", "resourceNames"].into_iter().any(has) {
            let why = "rules cannot apply to both regular resources and non-resource URLs";
            causes.push(Cause::invalid(urls, &given(), why));
        } else if !has("nonResourceURLs") {
            need("apiGroups", "resource rules must supply at least one api group");
            need("resources", "resource rules must supply at least one resource");
        }
    }
    causes
}

fn binding_causes(kind: &Kind, before: Option<&Value>, object: &Value) -> Vec<Cause> {
    let reference =
        |member: &str| object.pointer(&format!("/roleRef/{member}")).and_then(Value::as_str).unwrap_or_default();
    let mut causes = Vec::new();
    if reference("apiGroup") != GROUP {
        causes.push(unsupported("roleRef.apiGroup".to_owned(), reference("apiGroup"), &go_quoted(GROUP)));
    }
    match (reference("kind"), kind.namespaced) {
        ("ClusterRole", _) | ("Role", true) => {}
        (other, true) => causes.push(unsupported("roleRef.kind".to_owned(), other, "\"Role\", \"ClusterRole\"")),
        (other, false) => causes.push(unsupported("roleRef.kind".to_owned(), other, "\"ClusterRole\"")),
    }
    if reference("name").is_empty() {
        causes.push(required("roleRef.name".to_owned(), ""));
    } else {
        let problems = crate::names::path_segment(reference("name"));
        let wrong = |why: String| Cause::invalid("roleRef.name", &go_quoted(reference("name")), &why);
        causes.extend(problems.into_iter().map(wrong));
    }
    let subjects = object.get("subjects").and_then(Value::as_array).into_iter().flatten();
    for (at, subject) in subjects.enumerate() {
        causes.extend(subject_causes(&format!("subjects[{at}]"), subject));
    }
    if before.is_some_and(|before| before.get("roleRef") != object.get("roleRef")) {
        let given = json!({ "APIGroup": reference("apiGroup"), "Kind": reference("kind"), "Name": reference("name") });
        causes.push(Cause::invalid("roleRef", &given.to_string(), "cannot change roleRef"));
    }
    causes
}

fn subject_causes(at: &str, subject: &Value) -> Vec<Cause> {
    let text = |member: &str| subject.get(member).and_then(Value::as_str).unwrap_or_default();
    let mut causes = Vec::new();
    if text("name").is_empty() {
        causes.push(required(format!("{at}.name"), ""));
    }
    match text("kind") {
        "ServiceAccount" => {
            let name = text("name");
            if !name.is_empty() {
                let wrong = |why: String| Cause::invalid(format!("{at}.name"), &go_quoted(name), &why);
                causes.extend(tidegate_go::label::subdomain_faults(name).into_iter().map(wrong));
            }
            if !text("apiGroup").is_empty() {
                causes.push(unsupported(format!("{at}.apiGroup"), text("apiGroup"), "\"\""));
            }
            if text("namespace").is_empty() {
                causes.push(required(format!("{at}.namespace"), ""));
            }
        }
        "User" | "Group" if text("apiGroup") != GROUP => {
            causes.push(unsupported(format!("{at}.apiGroup"), text("apiGroup"), &go_quoted(GROUP)));
        }
        "User" | "Group" => {}
        other => {
            let known = "\"ServiceAccount\", \"User\", \"Group\"";
            causes.push(unsupported(format!("{at}.kind"), other, known));
        }
    }
    causes
}
