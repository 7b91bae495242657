//! The strategies of the core kinds: defaulting, fields that cannot be changed, and validation.
//!
//! # Source
//! The strategies in `pkg/registry` of `k8s.io/kubernetes`.

use serde_json::{Map, Value, json};

use crate::api_error::{ApiError, Cause};
use crate::object;
use crate::request::{Requester, Target};
use crate::verbs::body::validation;
use crate::verbs::core_kinds::config;
use crate::verbs::core_kinds::rbac;

/// Returns `true` if an update of a missing object creates it.
pub(in crate::verbs) fn is_created_by_update(target: &Target) -> bool {
    let kind = &target.kind;
    let is_core = !kind.custom && target.subresource.is_none();
    is_core && (matches!(kind.plural.as_str(), "leases" | "events") || is_rbac(target))
}

/// Returns `true` if an update must specify a resourceVersion.
pub(in crate::verbs) fn needs_revision(target: &Target) -> bool {
    target.kind.custom || target.kind.plural == "leases"
}

/// Returns `true` if a deletion returns the deleted object instead of a `Status`.
pub(in crate::verbs) fn returns_deleted(target: &Target) -> bool {
    !target.kind.custom && target.kind.plural == "serviceaccounts"
}

fn is_rbac(target: &Target) -> bool {
    target.kind.group == "rbac.authorization.k8s.io"
}

/// Normalizes an object of a core kind to the form that a server stores.
pub(in crate::verbs) fn prepare(target: &Target, before: Option<&Value>, object: &mut Value) {
    if target.kind.custom || target.kind.is_definition() {
        return;
    }
    let kept = |name: &str| {
        name == "rules" || name == "spec" || name == "status" || name == "involvedObject" || name == "source"
    };
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    object::members_mut(object).retain(|name, value| kept(name) || !is_empty(value));
    match target.kind.kind.as_str() {
        "Secret" => config::fill_secret(object),
        "Lease" => object::fill_absent(object, &json!({ "spec": {} })),
        "Event" => object::fill_absent(object, &silent_event()),
        "CertificateSigningRequest" => prepare_request(before, object),
        "Namespace" if before.is_some() => {
            object::fill_absent(object, &json!({ "spec": {}, "status": {} }));
            object::members_mut(&mut object["spec"]).retain(|_, value| !is_empty(value));
        }
        _ if is_rbac(target) => rbac::fill(object),
        _ => {}
    }
}

/// Returns the fields that a server writes in every Event, even if they are empty.
fn silent_event() -> Value {
    json!({
        "involvedObject": {}, "source": {}, "firstTimestamp": null, "lastTimestamp": null, "eventTime": null,
        "reportingComponent": "", "reportingInstance": "",
    })
}

/// Returns the fields that every object of a core kind has, with their zero values.
pub(in crate::verbs) fn silent(target: &Target) -> Value {
    if target.kind.custom {
        return json!({});
    }
    match target.kind.kind.as_str() {
        "Event" => silent_event(),
        "Role" | "ClusterRole" => json!({ "rules": null }),
        "Namespace" | "CertificateSigningRequest" => json!({ "spec": {}, "status": {} }),
        "Lease" => json!({ "spec": {} }),
        _ => json!({}),
    }
}

/// Adds fields to a new object that only the server sets; no manager owns them.
pub(in crate::verbs) fn finish(target: &Target, requester: &Requester, object: &mut Value) {
    if target.kind.custom || target.kind.kind != "CertificateSigningRequest" {
        return;
    }
    let spec = object::members_mut(&mut object["spec"]);
    spec.insert("username".to_owned(), json!(requester.user));
    spec.insert("groups".to_owned(), json!(requester.groups));
}

fn prepare_request(before: Option<&Value>, object: &mut Value) {
    object::fill_absent(object, &json!({ "spec": {}, "status": {} }));
    // The spec is immutable, and only the server sets the requester's identity.
    match before {
        Some(before) => object["spec"] = before.get("spec").cloned().unwrap_or_default(),
        None => {
            object::members_mut(&mut object["spec"])
                .retain(|name, _| !matches!(name.as_str(), "username" | "groups" | "uid" | "extra"));
        }
    }
}

/// Copies the conditions of a CertificateSigningRequest, and nothing else.
pub(in crate::verbs) fn carry_approval(to: &mut Value, from: &Value) {
    let status = object::members_mut(to).entry("status").or_insert_with(|| Value::Object(Map::new()));
    match from.pointer("/status/conditions") {
        Some(conditions) => {
            object::members_mut(status).insert("conditions".to_owned(), conditions.clone());
        }
        None => {
            object::members_mut(status).remove("conditions");
        }
    }
}

/// Copies the metadata that a status update of a core kind may change.
pub(in crate::verbs) fn carry_metadata(to: &mut Value, from: &Value) {
    for member in ["labels", "annotations"] {
        object::set(to, member, object::metadata(from, member).cloned());
    }
}

/// Validates an object of a core kind.
///
/// # Errors
/// Invalid, with every error.
pub(in crate::verbs) fn validate(target: &Target, before: Option<&Value>, object: &Value) -> Result<(), ApiError> {
    if target.kind.custom || target.kind.is_definition() {
        return Ok(());
    }
    let causes = match target.kind.kind.as_str() {
        "ConfigMap" | "Secret" => config::causes(&target.kind, before, object),
        "Lease" => lease_causes(object),
        "Event" => event_causes(object),
        "CertificateSigningRequest" => request_causes(before, object),
        _ if is_rbac(target) => rbac::causes(&target.kind, before, object),
        _ => Vec::new(),
    };
    if causes.is_empty() { Ok(()) } else { Err(validation::invalid(target, object::text(object, "name"), &causes)) }
}

fn lease_causes(object: &Value) -> Vec<Cause> {
    let number = |member: &str| object.get("spec").and_then(|spec| spec.get(member)?.as_i64());
    let mut causes = Vec::new();
    if let Some(seconds) = number("leaseDurationSeconds").filter(|seconds| *seconds <= 0) {
        causes.push(Cause::invalid("spec.leaseDurationSeconds", &seconds.to_string(), "must be greater than 0"));
    }
    if let Some(count) = number("leaseTransitions").filter(|count| *count < 0) {
        let why = "must be greater than or equal to 0";
        causes.push(Cause::invalid("spec.leaseTransitions", &count.to_string(), why));
    }
    causes
}

fn event_causes(object: &Value) -> Vec<Cause> {
    let about = object.pointer("/involvedObject/namespace").and_then(Value::as_str).unwrap_or_default();
    let own = object::text(object, "namespace");
    let fits = if about.is_empty() { matches!(own, "" | "default") } else { about == own };
    if fits {
        return Vec::new();
    }
    vec![Cause::invalid("involvedObject.namespace", &format!("{about:?}"), "does not match event.namespace")]
}

fn request_causes(before: Option<&Value>, object: &Value) -> Vec<Cause> {
    let text = |member: &str| object.get("spec").and_then(|spec| spec.get(member)?.as_str()).unwrap_or_default();
    let mut causes = Vec::new();
    if before.is_some() {
        return causes;
    }
    if text("request").is_empty() {
        causes.push(Cause::invalid("spec.request", "\"\"", "PEM block type must be CERTIFICATE REQUEST"));
    }
    let usages = object.pointer("/spec/usages").and_then(Value::as_array);
    if usages.is_none_or(Vec::is_empty) {
        causes.push(Cause::new("FieldValueRequired", "spec.usages", "Required value"));
    }
    if text("signerName").is_empty() {
        causes.push(Cause::new("FieldValueRequired", "spec.signerName", "Required value"));
    }
    causes
}
