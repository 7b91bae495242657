//! HTTP responses, in the format that the client accepts.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::request::{Parameters, Target};
use crate::table::{self, Include};
use crate::verbs::Page;
use tidegate_model::time::Timestamp;

/// The format in which a client wants objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The whole objects.
    Whole,
    /// Rows of a `Table`.
    Table(Include),
    /// `PartialObjectMetadata`.
    Partial,
}

impl Form {
    /// Parses the `Accept` header; the first supported format is used.
    ///
    /// # Errors
    /// Not acceptable, if none is supported.
    pub(crate) fn read(accept: &str, parameters: &Parameters) -> Result<Self, ApiError> {
        if accept.trim().is_empty() {
            return Ok(Self::Whole);
        }
        let form = |range: &str| {
            let mut parts = range.split(';').map(str::trim);
            let media_type = parts.next().unwrap_or_default();
            // JSON is valid YAML.
            if !matches!(media_type, "application/json" | "application/yaml" | "application/*" | "*/*" | "*") {
                return None;
            }
            let parameter = |name: &str| range.split(';').find_map(|part| part.trim().strip_prefix(name));
            match (parameter("as="), parameter("v="), parameter("g=")) {
                (None, ..) => Some(Self::Whole),
                (Some("Table"), Some("v1"), _) => Some(Self::Table(Include::read(parameters.text("includeObject")))),
                (Some("PartialObjectMetadata" | "PartialObjectMetadataList"), Some("v1"), _) => Some(Self::Partial),
                _ => None,
            }
        };
        accept.split(',').find_map(form).ok_or_else(ApiError::not_acceptable)
    }

    /// Converts an object to this format.
    pub(crate) fn object<'a>(self, target: &Target, object: &'a Value, now: Timestamp) -> Cow<'a, Value> {
        match self {
            Self::Whole => Cow::Borrowed(object),
            Self::Partial => Cow::Owned(table::partial(object)),
            Self::Table(include) => {
                let mut table = table::table(target.requested_version(), &[object], include, now);
                let revision = object.pointer("/metadata/resourceVersion").cloned().unwrap_or_default();
                table["metadata"]["resourceVersion"] = revision;
                Cow::Owned(table)
            }
        }
    }

    /// Converts a page of a list to this format.
    pub(crate) fn page(self, target: &Target, page: &Page, now: Timestamp) -> Response {
        let mut metadata = json!({ "resourceVersion": page.revision.to_string() });
        // Lists of custom resources always have this field, other lists only if there are more pages.
        if !page.token.is_empty() || (target.kind.custom && self == Self::Whole) {
            metadata["continue"] = json!(page.token);
        }
        if let Some(remaining) = page.remaining {
            metadata["remainingItemCount"] = json!(remaining);
        }
        let values = || page.items.iter().map(|object| target.kind.presented(object.value(), &target.version));
        match self {
            Self::Whole => {
                let head =
                    json!({ "apiVersion": target.api_version(), "kind": target.kind.list_kind, "metadata": metadata });
                typed(200, "application/json", Body::from(complete_list(&head, target, page)))
            }
            Self::Partial => json(
                200,
                &json!({
                    "kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": metadata,
                    "items": values().map(|object| table::partial(&object)).collect::<Vec<Value>>(),
                }),
            ),
            Self::Table(include) => {
                let values: Vec<Value> = values().collect();
                let mut table =
                    table::table(target.requested_version(), &values.iter().collect::<Vec<_>>(), include, now);
                table["metadata"] = metadata;
                json(200, &table)
            }
        }
    }
}

/// Serializes a list of whole objects; if possible, the stored bytes are sent unchanged.
fn complete_list(head: &Value, target: &Target, page: &Page) -> Vec<u8> {
    let size: usize = page.items.iter().map(|object| object.text().len() + 1).sum();
    let mut body = Vec::with_capacity(size + 256);
    // A `Value` always serializes to JSON.
    body.extend(serde_json::to_vec(head).unwrap_or_default());
    body.pop();
    body.extend_from_slice(b",\"items\":[");
    for (index, object) in page.items.iter().enumerate() {
        if index > 0 {
            body.push(b',');
        }
        if target.kind.is_stored_form(&target.version) {
            body.extend_from_slice(object.text());
        } else {
            let converted = target.kind.presented(object.value(), &target.version);
            body.extend(serde_json::to_vec(&converted).unwrap_or_default());
        }
    }
    body.extend_from_slice(b"]}");
    body
}

/// Returns a JSON response.
pub(crate) fn json(code: u16, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => typed(code, "application/json", Body::from(body)),
        Err(error) => typed(500, "text/plain; charset=utf-8", Body::from(error.to_string())),
    }
}

/// Returns the response for an error.
pub(crate) fn refused(error: &ApiError) -> Response {
    json(error.code, &error.to_status())
}

/// Adds `Warning` headers to a response.
pub(crate) fn warned(mut response: Response, warnings: &[String]) -> Response {
    for warning in warnings {
        let quoted: String = warning.chars().filter(|c| !c.is_control()).collect();
        let quoted = quoted.replace('\\', "\\\\").replace('"', "\\\"");
        // A warning that is not a valid header value is dropped.
        if let Ok(value) = HeaderValue::from_str(&format!("299 - \"{quoted}\"")) {
            response.headers_mut().append(header::WARNING, value);
        }
    }
    response
}

/// Returns the plain-text response for paths outside the API.
pub(crate) fn page_not_found() -> Response {
    typed(404, "text/plain; charset=utf-8", Body::from("404 page not found\n"))
}

/// Returns a response with a body of a media type.
pub(crate) fn typed(code: u16, media_type: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}
