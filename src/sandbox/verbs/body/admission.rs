//! Checks of a request body against the request path: kind, namespace and name.

use serde_json::{Value, json};

use crate::api_error::{ApiError, Cause};
use crate::object;
use crate::request::Target;

/// Checks that a body has the kind and version of the request. For core kinds, missing values are filled in.
///
/// # Errors
/// If it has a different kind or version, or is not an object.
pub(in crate::verbs) fn accept_type(target: &Target, body: &mut Value) -> Result<(), ApiError> {
    let kind = &target.kind;
    let expected = target.api_version();
    let unrecognized =
        || ApiError::bad_request(format!("the object provided is unrecognized (must be of type {})", kind.kind));
    let members = body.as_object_mut().ok_or_else(unrecognized)?;
    for (member, default) in [("apiVersion", &expected), ("kind", &kind.kind)] {
        let given = members.entry(member).or_insert(Value::Null);
        let is_missing = given.is_null() || given == "";
        if is_missing {
            *given = if kind.custom { json!("") } else { json!(default) };
        }
    }
    let text = |member: &str| members.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (given_version, given) = (text("apiVersion"), text("kind"));
    if !kind.custom && given != kind.kind {
        // A real server prints the version without the group if it knows both.
        let (group, version) = given_version.rsplit_once('/').unwrap_or(("", &given_version));
        let why = format!(
            "no kind {given:?} is registered for version {given_version:?} in scheme \"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30\""
        );
        let is_known = kind.group == group && kind.version(version).is_some();
        let given_version = if is_known { version } else { given_version.as_str() };
        return Err(ApiError::bad_request(format!(
            "{given} in version {given_version:?} cannot be handled as a {}: {why}",
            kind.kind
        )));
    }
    if given_version != expected {
        return Err(ApiError::bad_request(format!(
            "the API version in the data ({given_version}) does not match the expected API version ({expected})"
        )));
    }
    if given != kind.kind {
        let cause = Cause::invalid("kind", &format!("{given:?}"), &format!("must be {}", kind.kind));
        return Err(ApiError::invalid(&kind.group, &given, object::text(body, "name"), &[cause]));
    }
    Ok(())
}

/// Checks that a body has the namespace of the path; fills it in if it is missing.
///
/// # Errors
/// If it has a different namespace.
pub(in crate::verbs) fn accept_namespace(target: &Target, body: &mut Value) -> Result<(), ApiError> {
    let given = object::text(body, "namespace");
    if target.namespace.is_empty() {
        object::set(body, "namespace", None);
    } else if given.is_empty() {
        object::set(body, "namespace", Some(json!(target.namespace)));
    } else if given != target.namespace {
        let message = "the namespace of the provided object does not match the namespace sent on the request";
        return Err(ApiError::bad_request(message));
    }
    Ok(())
}

/// Checks that a body has the name of the path.
///
/// # Errors
/// If it has a different name, or none.
pub(in crate::verbs) fn accept_name(name: &str, body: &Value) -> Result<(), ApiError> {
    match object::text(body, "name") {
        given if given == name => Ok(()),
        "" => Err(ApiError::bad_request(format!(
            "the name of the object ({name} based on URL) was undeterminable: name must be provided"
        ))),
        given => Err(ApiError::bad_request(format!(
            "the name of the object ({given}) does not match the name on the URL ({name})"
        ))),
    }
}

/// Returns `BadRequest`: the body cannot be decoded into its kind.
pub(in crate::verbs) fn undecodable(target: &Target, given: &str, why: &str) -> ApiError {
    let kind = &target.kind.kind;
    ApiError::bad_request(format!("{given} in version {:?} cannot be handled as a {kind}: {why}", target.version))
}

/// Returns `true` if an update changes more than metadata and the status subresource, so that it increments the generation.
pub(in crate::verbs) fn wants_something_else(target: &Target, before: &Value, after: &Value) -> bool {
    let has_status = target.requested_version().has_status;
    let is_wanted = |name: &str| match name {
        "metadata" | "apiVersion" | "kind" => false,
        "status" => !has_status,
        _ => true,
    };
    let wanted = |object| members(object).filter(|(name, _)| is_wanted(name));
    !wanted(before).eq(wanted(after))
}

fn members(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}
