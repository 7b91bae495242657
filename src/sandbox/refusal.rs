//! Refusals: every answer that is not success, as the `Status` that an API server sends.

use serde_json::{Map, Value, json};

use super::kind::Kind;

/// An answer of the hub that is not success.
///
/// # Source
/// `k8s.io/apimachinery/pkg/api/errors`, whose codes, reasons and messages are mirrored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The HTTP code.
    pub code: u16,
    /// The reason that programs compare; empty where a real server gives none.
    pub reason: &'static str,
    /// The message for people.
    pub message: String,
    details: Option<Value>,
}

/// One field that is wrong, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cause {
    /// The reason that programs compare.
    pub(crate) reason: &'static str,
    /// What is wrong.
    pub(crate) message: String,
    /// Where.
    pub(crate) field: String,
}

impl Cause {
    /// Builds a cause.
    pub(crate) fn new(reason: &'static str, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), field: field.into() }
    }

    /// Returns the cause of a value that may not be so.
    pub(crate) fn invalid(field: impl Into<String>, value: &str, why: &str) -> Self {
        Self::new("FieldValueInvalid", field, format!("Invalid value: {value}: {why}"))
    }

    fn to_value(&self) -> Value {
        json!({ "reason": self.reason, "message": self.message, "field": self.field })
    }
}

/// The media types that a server reads and writes.
pub(crate) const MEDIA_TYPES: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

impl Refusal {
    fn plain(code: u16, reason: &'static str, message: impl Into<String>) -> Self {
        Self { code, reason, message: message.into(), details: None }
    }

    fn of_object(code: u16, reason: &'static str, kind: &Kind, name: &str, message: String) -> Self {
        Self { code, reason, message, details: Some(details(name, &kind.group, &kind.plural)) }
    }

    /// Says that an object is not there.
    pub(crate) fn not_found(kind: &Kind, name: &str) -> Self {
        Self::of_object(404, "NotFound", kind, name, format!("{} {name:?} not found", kind.qualified()))
    }

    /// Says that an object is there already.
    pub(crate) fn already_exists(kind: &Kind, name: &str) -> Self {
        Self::of_object(409, "AlreadyExists", kind, name, format!("{} {name:?} already exists", kind.qualified()))
    }

    /// Says that the object is not in the state that the request expects.
    pub(crate) fn conflict(kind: &Kind, name: &str, why: &str) -> Self {
        let message = format!("Operation cannot be fulfilled on {} {name:?}: {why}", kind.qualified());
        Self::of_object(409, "Conflict", kind, name, message)
    }

    /// Says that a deletion expects another object than is there. Here a real server names the kind and not the resource.
    pub(crate) fn unexpected(kind: &Kind, name: &str, why: &str) -> Self {
        let qualified = if kind.group.is_empty() { kind.kind.clone() } else { format!("{}.{}", kind.kind, kind.group) };
        let message = format!("Operation cannot be fulfilled on {qualified} {name:?}: {why}");
        Self { code: 409, reason: "Conflict", message, details: Some(details(name, &kind.group, &kind.kind)) }
    }

    /// Says that the object was written since the request read it.
    pub(crate) fn modified(kind: &Kind, name: &str) -> Self {
        let why = "the object has been modified; please apply your changes to the latest version and try again";
        Self::conflict(kind, name, why)
    }

    /// Says that the object may not be created at present.
    pub(crate) fn forbidden(kind: &Kind, name: &str, why: &str) -> Self {
        let message = format!("{} {name:?} is forbidden: {why}", kind.qualified());
        Self::of_object(403, "Forbidden", kind, name, message)
    }

    /// Returns which fields are wrong. `kind` is the kind, or the plural where a real server names that.
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

    /// Says that fields belong to other managers.
    pub(crate) fn owned_by_others(causes: &[Cause], message: String) -> Self {
        let causes: Value = causes.iter().map(Cause::to_value).collect();
        Self { code: 409, reason: "Conflict", message, details: Some(json!({ "causes": causes })) }
    }

    /// Says that a patch cannot be carried out on the object.
    pub(crate) fn unprocessable_patch() -> Self {
        let message = "the server rejected our request due to an error in our request".to_owned();
        Self { code: 422, reason: "Invalid", message, details: Some(json!({})) }
    }

    /// Says that the request makes no sense.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::plain(400, "BadRequest", message)
    }

    /// Says that the body has a media type that is not known.
    pub(crate) fn unsupported_media_type(accepted: &str) -> Self {
        let message = "the body of the request was in an unknown format - accepted media types include: ".to_owned();
        Self::plain(415, "UnsupportedMediaType", message + accepted)
    }

    /// Says that none of the media types that the client accepts can be given.
    pub(crate) fn not_acceptable() -> Self {
        let message = format!("only the following media types are accepted: {MEDIA_TYPES}");
        Self::plain(406, "NotAcceptable", message)
    }

    /// Says that a verb is not served for a resource or subresource of a CRD.
    pub(crate) fn verb_not_supported(kind: &Kind, verb: &str) -> Self {
        let message = format!("{verb} is not supported on resources of kind {:?}", kind.qualified());
        Self::of_object(405, "MethodNotAllowed", kind, "", message)
    }

    /// Says that nothing is served at a path below the resources.
    pub(crate) fn no_resource() -> Self {
        let message = "the server could not find the requested resource";
        Self { details: Some(json!({})), ..Self::plain(404, "NotFound", message) }
    }

    /// Says that the verb is not served for the resource.
    pub(crate) fn method_not_allowed() -> Self {
        let message = "the server does not allow this method on the requested resource";
        Self { details: Some(json!({})), ..Self::plain(405, "MethodNotAllowed", message) }
    }

    /// Says that the body is larger than a server takes.
    pub(crate) fn too_large(limit: usize) -> Self {
        Self::plain(413, "RequestEntityTooLarge", format!("Request entity too large: limit is {limit}"))
    }

    /// Says that a revision is still to come.
    pub(crate) fn too_new(asked: u64, current: u64) -> Self {
        let message = format!("Too large resource version: {asked}, current: {current}");
        let cause = Cause::new("ResourceVersionTooLarge", "", "Too large resource version");
        let details = json!({
            "causes": [{ "reason": cause.reason, "message": cause.message }], "retryAfterSeconds": 1,
        });
        Self { details: Some(details), ..Self::plain(504, "Timeout", format!("Timeout: {message}")) }
    }

    /// Says that a JSON patch has too many operations.
    pub(crate) fn too_many_operations(limit: usize, found: usize) -> Self {
        let why = format!("The allowed maximum operations in a JSON patch is {limit}, got {found}");
        Self::plain(413, "RequestEntityTooLarge", format!("Request entity too large: {why}"))
    }

    /// Says that the history no longer reaches back to a revision.
    pub(crate) fn expired(message: impl Into<String>) -> Self {
        Self::plain(410, "Expired", message)
    }

    /// Adds a cause to what is said about an object.
    pub(crate) fn because(mut self, cause: &Cause) -> Self {
        let details = self.details.get_or_insert_with(|| json!({}));
        details["causes"] = json!([cause.to_value()]);
        self
    }

    /// Returns what a real server calls an internal error although the request is to blame.
    pub(crate) fn unclassified(message: impl Into<String>) -> Self {
        Self::plain(500, "", message)
    }

    /// Returns the `Status` object.
    pub fn to_status(&self) -> Value {
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

/// Returns the `Status` of a deletion that is done.
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
