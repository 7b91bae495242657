//! Error responses, as the `Status` objects that an API server sends.

use serde_json::{Map, Value, json};

use super::kind::Kind;

/// An error response of the hub.
///
/// # Source
/// `k8s.io/apimachinery/pkg/api/errors`; its codes, reasons and messages are mirrored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// The HTTP status code.
    pub code: u16,
    /// The machine-readable reason; empty where a real server gives none.
    pub reason: &'static str,
    /// The human-readable message.
    pub message: String,
    details: Option<Value>,
}

/// A `StatusCause`: one invalid field, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cause {
    /// The machine-readable reason.
    pub(crate) reason: &'static str,
    /// The human-readable description of the error.
    pub(crate) message: String,
    /// The path of the field.
    pub(crate) field: String,
}

impl Cause {
    /// Creates a cause.
    pub(crate) fn new(reason: &'static str, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), field: field.into() }
    }

    /// Creates a `FieldValueInvalid` cause.
    pub(crate) fn invalid(field: impl Into<String>, value: &str, why: &str) -> Self {
        Self::new("FieldValueInvalid", field, format!("Invalid value: {value}: {why}"))
    }

    fn to_value(&self) -> Value {
        json!({ "reason": self.reason, "message": self.message, "field": self.field })
    }
}

/// The media types that a server accepts and produces.
pub(crate) const MEDIA_TYPES: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

impl ApiError {
    fn plain(code: u16, reason: &'static str, message: impl Into<String>) -> Self {
        Self { code, reason, message: message.into(), details: None }
    }

    fn of_object(code: u16, reason: &'static str, kind: &Kind, name: &str, message: String) -> Self {
        Self { code, reason, message, details: Some(details(name, &kind.group, &kind.plural)) }
    }

    /// Returns `NotFound`: the object does not exist.
    pub(crate) fn not_found(kind: &Kind, name: &str) -> Self {
        Self::of_object(404, "NotFound", kind, name, format!("{} {name:?} not found", kind.qualified()))
    }

    /// Returns `AlreadyExists`: an object with this name exists.
    pub(crate) fn already_exists(kind: &Kind, name: &str) -> Self {
        Self::of_object(409, "AlreadyExists", kind, name, format!("{} {name:?} already exists", kind.qualified()))
    }

    /// Returns `Conflict`: the object is not in the state that the request expects.
    pub(crate) fn conflict(kind: &Kind, name: &str, why: &str) -> Self {
        let message = format!("Operation cannot be fulfilled on {} {name:?}: {why}", kind.qualified());
        Self::of_object(409, "Conflict", kind, name, message)
    }

    /// Returns `Conflict`: a precondition of a deletion failed. A real server names the kind here, not the resource.
    pub(crate) fn unexpected(kind: &Kind, name: &str, why: &str) -> Self {
        let qualified = if kind.group.is_empty() { kind.kind.clone() } else { format!("{}.{}", kind.kind, kind.group) };
        let message = format!("Operation cannot be fulfilled on {qualified} {name:?}: {why}");
        Self { code: 409, reason: "Conflict", message, details: Some(details(name, &kind.group, &kind.kind)) }
    }

    /// Returns `Conflict`: the object was modified after the client read it.
    pub(crate) fn modified(kind: &Kind, name: &str) -> Self {
        let why = "the object has been modified; please apply your changes to the latest version and try again";
        Self::conflict(kind, name, why)
    }

    /// Returns `Forbidden`: the request is not allowed for this object.
    pub(crate) fn forbidden(kind: &Kind, name: &str, why: &str) -> Self {
        let message = format!("{} {name:?} is forbidden: {why}", kind.qualified());
        Self::of_object(403, "Forbidden", kind, name, message)
    }

    /// Returns `Invalid` with every invalid field. `kind` is the kind, or the plural where a real server uses that.
    pub(crate) fn invalid(group: &str, kind: &str, name: &str, causes: &[Cause]) -> Self {
        let qualified = if group.is_empty() { kind.to_owned() } else { format!("{kind}.{group}") };
        let mut lines: Vec<String> = Vec::new();
        for cause in causes {
            let line = format!("{}: {}", cause.field, cause.message);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let lines = if lines.len() == 1 { lines.concat() } else { format!("[{}]", lines.join(", ")) };
        let mut details = details(name, group, kind);
        details["causes"] = causes.iter().map(Cause::to_value).collect();
        let message = format!("{qualified} {name:?} is invalid: {lines}");
        Self { code: 422, reason: "Invalid", message, details: Some(details) }
    }

    /// Returns `Conflict`: an apply would change fields that other managers own.
    pub(crate) fn owned_by_others(causes: &[Cause], message: String) -> Self {
        let causes: Value = causes.iter().map(Cause::to_value).collect();
        Self { code: 409, reason: "Conflict", message, details: Some(json!({ "causes": causes })) }
    }

    /// Returns `Invalid`: a JSON patch does not apply to the object.
    pub(crate) fn unprocessable_patch() -> Self {
        let message = "the server rejected our request due to an error in our request".to_owned();
        Self { code: 422, reason: "Invalid", message, details: Some(json!({})) }
    }

    /// Returns `BadRequest`: the request is malformed.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::plain(400, "BadRequest", message)
    }

    /// Returns `UnsupportedMediaType`: the body has an unknown media type.
    pub(crate) fn unsupported_media_type(accepted: &str) -> Self {
        let message = "the body of the request was in an unknown format - accepted media types include: ".to_owned();
        Self::plain(415, "UnsupportedMediaType", message + accepted)
    }

    /// Returns `NotAcceptable`: the server produces none of the media types that the client accepts.
    pub(crate) fn not_acceptable() -> Self {
        let message = format!("only the following media types are accepted: {MEDIA_TYPES}");
        Self::plain(406, "NotAcceptable", message)
    }

    /// Returns `MethodNotAllowed`: the verb is not supported for a custom resource or its subresource.
    pub(crate) fn verb_not_supported(kind: &Kind, verb: &str) -> Self {
        let message = format!("{verb} is not supported on resources of kind {:?}", kind.qualified());
        Self::of_object(405, "MethodNotAllowed", kind, "", message)
    }

    /// Returns `NotFound`: no resource is served at this path of a known group and version.
    pub(crate) fn no_resource() -> Self {
        let message = "the server could not find the requested resource";
        Self { details: Some(json!({})), ..Self::plain(404, "NotFound", message) }
    }

    /// Returns `MethodNotAllowed`: the verb is not supported for the resource.
    pub(crate) fn method_not_allowed() -> Self {
        let message = "the server does not allow this method on the requested resource";
        Self { details: Some(json!({})), ..Self::plain(405, "MethodNotAllowed", message) }
    }

    /// Returns `RequestEntityTooLarge`: the body exceeds the limit in bytes.
    pub(crate) fn too_large(limit: usize) -> Self {
        Self::plain(413, "RequestEntityTooLarge", format!("Request entity too large: limit is {limit}"))
    }

    /// Returns `Timeout`: the requested resourceVersion is newer than the current one.
    pub(crate) fn too_new(asked: u64, current: u64) -> Self {
        let message = format!("Too large resource version: {asked}, current: {current}");
        let cause = Cause::new("ResourceVersionTooLarge", "", "Too large resource version");
        let details = json!({
            "causes": [{ "reason": cause.reason, "message": cause.message }], "retryAfterSeconds": 1,
        });
        Self { details: Some(details), ..Self::plain(504, "Timeout", format!("Timeout: {message}")) }
    }

    /// Returns `RequestEntityTooLarge`: a JSON patch has too many operations.
    pub(crate) fn too_many_operations(limit: usize, found: usize) -> Self {
        let why = format!("The allowed maximum operations in a JSON patch is {limit}, got {found}");
        Self::plain(413, "RequestEntityTooLarge", format!("Request entity too large: {why}"))
    }

    /// Returns `Expired`: the history no longer reaches back to the requested resourceVersion.
    pub(crate) fn expired(message: impl Into<String>) -> Self {
        Self::plain(410, "Expired", message)
    }

    /// Sets the single cause of an error about an object.
    pub(crate) fn because(mut self, cause: &Cause) -> Self {
        let details = self.details.get_or_insert_with(|| json!({}));
        details["causes"] = json!([cause.to_value()]);
        self
    }

    /// Returns code 500 without a reason, which a real server uses for some errors that are the client's fault.
    pub(crate) fn unclassified(message: impl Into<String>) -> Self {
        Self::plain(500, "", message)
    }

    /// Returns the `Status` object.
    pub(crate) fn to_status(&self) -> Value {
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": self.message, "code": self.code,
        });
        if !self.reason.is_empty() {
            status["reason"] = json!(self.reason);
        }
        if let Some(details) = &self.details {
            status["details"] = details.clone();
        }
        status
    }
}

/// Returns the success `Status` of a completed deletion.
pub(crate) fn deleted(kind: &Kind, name: &str, uid: &str) -> Value {
    let mut details = details(name, &kind.group, &kind.plural);
    details["uid"] = json!(uid);
    json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details })
}

fn details(name: &str, group: &str, kind: &str) -> Value {
    let members = [("name", name), ("group", group), ("kind", kind)];
    let given = members.into_iter().filter(|(_, value)| !value.is_empty());
    Value::Object(given.map(|(member, value)| (member.to_owned(), json!(value))).collect::<Map<_, _>>())
}
