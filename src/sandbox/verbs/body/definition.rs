//! Validation of CRDs.
//!
//! # Source
//! `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation`; only the checks that users commonly run into.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::Value;

use crate::api_error::{ApiError, Cause};
use tidegate_cel::Program;

/// The annotation that allows a CRD in a protected group, such as `*.k8s.io`.
const APPROVAL: &str = "api-approved.kubernetes.io";

/// Returns the errors in a CRD.
///
/// # Errors
/// Bad request, if it cannot be decoded.
pub(in crate::verbs) fn causes(object: &Value) -> Result<Vec<Cause>, ApiError> {
    let read: Result<CustomResourceDefinition, _> = serde_json::from_value(object.clone());
    let crd = read.map_err(|error| {
        let kind = "CustomResourceDefinition";
        ApiError::bad_request(format!("{kind} in version \"v1\" cannot be handled as a {kind}: {error}"))
    })?;
    let mut found = names(&crd);
    if crd.spec.versions.iter().filter(|version| version.storage).count() != 1 {
        let versions = object.pointer("/spec/versions").unwrap_or(&Value::Null);
        let why = "must have exactly one version marked as storage version";
        found.push(Cause::invalid("spec.versions", &versions.to_string(), why));
    }
    let versions = object.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
    for (index, version) in versions.enumerate() {
        let at = format!("spec.versions[{index}].schema.openAPIV3Schema");
        let Some(schema) = version.pointer("/schema/openAPIV3Schema") else {
            found.push(required(&at, "schemas are required"));
            continue;
        };
        match schema.get("type").and_then(Value::as_str).unwrap_or_default() {
            "object" => structure(schema, &at, true, &mut found),
            "" => found.push(required(&format!("{at}.type"), "must not be empty at the root")),
            other => {
                found.push(Cause::invalid(format!("{at}.type"), &format!("{other:?}"), "must be object at the root"));
            }
        }
    }
    Ok(found)
}

fn required(field: &str, why: &str) -> Cause {
    let message = if why.is_empty() { "Required value".to_owned() } else { format!("Required value: {why}") };
    Cause::new("FieldValueRequired", field, message)
}

fn names(crd: &CustomResourceDefinition) -> Vec<Cause> {
    let mut found = Vec::new();
    let (spec, names) = (&crd.spec, &crd.spec.names);
    let wanted = format!("{}.{}", names.plural, spec.group);
    if let Some(name) = crd.metadata.name.as_ref().filter(|name| **name != wanted) {
        let why = "must be spec.names.plural+\".\"+spec.group";
        found.push(Cause::invalid("metadata.name", &format!("{name:?}"), why));
    }
    let is_protected = spec.group.ends_with(".k8s.io") || spec.group.ends_with(".kubernetes.io");
    let is_approved = crd.metadata.annotations.as_ref().is_some_and(|given| given.contains_key(APPROVAL));
    if is_protected && !is_approved {
        let why = format!(
            "protected groups must have approval annotation {APPROVAL:?}, see https://github.com/kubernetes/enhancements/pull/1111"
        );
        found.push(required(&format!("metadata.annotations[{APPROVAL}]"), &why));
    }
    if spec.group.is_empty() {
        found.push(required("spec.group", ""));
    } else if !spec.group.contains('.') {
        let why = "should be a domain with at least one dot";
        found.push(Cause::invalid("spec.group", &format!("{:?}", spec.group), why));
    }
    match spec.scope.as_str() {
        "Cluster" | "Namespaced" => {}
        "" => found.push(required("spec.scope", "")),
        scope => {
            let message = format!("Unsupported value: {scope:?}: supported values: \"Cluster\", \"Namespaced\"");
            found.push(Cause::new("FieldValueNotSupported", "spec.scope", message));
        }
    }
    for (name, value) in [("plural", &names.plural), ("kind", &names.kind)] {
        if value.is_empty() {
            found.push(required(&format!("spec.names.{name}"), ""));
        }
    }
    found
}

/// Checks that every schema has a type, and that the validation rules compile.
fn structure(schema: &Value, at: &str, is_root: bool, found: &mut Vec<Cause>) {
    let flag = |name: &str| schema.get(name) == Some(&Value::Bool(true));
    let is_free = flag("x-kubernetes-int-or-string") || flag("x-kubernetes-preserve-unknown-fields");
    if !is_root && !is_free && schema.get("type").and_then(Value::as_str).unwrap_or_default().is_empty() {
        let message = "Required value: must not be empty for specified object fields";
        found.push(Cause::new("FieldValueRequired", format!("{at}.type"), message));
    }
    let rules = schema.get("x-kubernetes-validations").and_then(Value::as_array).into_iter().flatten();
    for (index, rule) in rules.enumerate() {
        let text = rule.get("rule").and_then(Value::as_str).unwrap_or_default();
        let optional = rule.get("optionalOldSelf") == Some(&Value::Bool(true));
        if let Err(refusal) = Program::rule(text, optional) {
            let field = format!("{at}.x-kubernetes-validations[{index}].rule");
            found.push(Cause::invalid(field, &format!("{text:?}"), &refusal.message));
        }
    }
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        structure(member, &format!("{at}.properties[{name}]"), false, found);
    }
    for name in ["items", "additionalProperties"] {
        if let Some(nested) = schema.get(name).filter(|nested| nested.is_object()) {
            structure(nested, &format!("{at}.{name}"), false, found);
        }
    }
}
