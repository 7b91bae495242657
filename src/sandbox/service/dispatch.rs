//! Routing of HTTP requests to verbs.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use tokio_util::sync::CancellationToken;

use super::answer::{self, Form};
use super::call::Call;
use super::describe;
use super::watch;
use crate::Sandbox;
use crate::api_error::{ApiError, MEDIA_TYPES};
use crate::request::{Dialect, ListOptions, Parameters, Requester, Route, Target, route};
use crate::wire;
use tidegate_model::time::to_http_date;

/// The largest body that a real server accepts, in bytes.
const BODY_LIMIT: usize = 3 * 1024 * 1024;

/// Returns the hub as a router. Cancelling `closing` ends open watches.
pub(crate) fn router(sandbox: Sandbox, closing: CancellationToken) -> Router {
    Router::new().fallback(handle).with_state(Hub { sandbox, closing })
}

#[derive(Clone)]
struct Hub {
    sandbox: Sandbox,
    closing: CancellationToken,
}

/// Answers a request. The answer has the date of the hub, as that of every API server.
async fn handle(State(hub): State<Hub>, request: Request) -> Response {
    let mut answer = answered(&hub, request).await;
    if let Ok(date) = HeaderValue::from_str(&to_http_date(hub.sandbox.now())) {
        answer.headers_mut().insert(header::DATE, date);
    }
    answer
}

async fn answered(hub: &Hub, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if let Some(answer) = describe::review(&parts) {
        return answer;
    }
    let target = match route(&hub.sandbox.catalog(), parts.uri.path()) {
        None => return answer::page_not_found(),
        Some(Route::Document(document)) => {
            let accept = parts.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
            return describe::describe(&hub.sandbox.catalog(), &document, accept);
        }
        Some(Route::Nothing(error)) => return answer::refused(&error),
        Some(Route::Objects(target)) => target,
    };
    let is_everywhere = target.kind.namespaced && target.namespace.is_empty();
    if is_everywhere && target.kind.custom && !matches!(parts.method.as_str(), "GET" | "HEAD") {
        return answer::page_not_found();
    }
    match serve(hub, target, parts, body).await {
        Ok(response) => response,
        Err(error) => answer::refused(&error),
    }
}

async fn serve(hub: &Hub, target: Target, parts: Parts, body: Body) -> Result<Response, ApiError> {
    let query = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
    let parameters = Parameters(query.map_err(|error| ApiError::bad_request(error.to_string()))?.0);
    let text = |name: HeaderName| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let verb = verb(parts.method.as_str(), &target)?;
    let content_type = text(header::CONTENT_TYPE);
    check_media_type(verb, content_type, &target)?;
    let call = Call {
        form: Form::read(text(header::ACCEPT), &parameters)?,
        content_type: content_type.to_owned(),
        user_agent: text(header::USER_AGENT).to_owned(),
        requester: Requester::read(&parts.headers),
        body: to_bytes(body, BODY_LIMIT).await.map_err(|_| ApiError::too_large(BODY_LIMIT))?,
        target,
        parameters,
    };
    let sandbox = &hub.sandbox;
    match verb {
        Verb::Get => call.get(sandbox),
        Verb::List if call.parameters.flag("watch") => {
            let options = ListOptions::read(&call.parameters, &call.target.kind)?;
            watch::start(sandbox, call.target, options, call.form, hub.closing.clone())
        }
        Verb::List => call.list(sandbox),
        Verb::Create => call.create(sandbox),
        Verb::Update => call.replace(sandbox),
        Verb::Patch => call.patch(sandbox),
        Verb::Delete => call.delete(sandbox),
        Verb::DeleteCollection => call.delete_collection(sandbox),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Get,
    List,
    Create,
    Update,
    Patch,
    Delete,
    DeleteCollection,
}

/// Returns the verb of a request. For an unsupported method, a real server answers differently for core kinds and for custom
/// resources.
fn verb(method: &str, target: &Target) -> Result<Verb, ApiError> {
    let is_named = target.name.is_some();
    let is_part = target.subresource.is_some();
    let is_everywhere = target.kind.namespaced && target.namespace.is_empty();
    let only_read = is_everywhere && !target.kind.custom;
    let refused = |name: &str| match target.kind.custom {
        true => ApiError::verb_not_supported(&target.kind, name),
        false => ApiError::method_not_allowed(),
    };
    match method {
        "GET" | "HEAD" if is_named => Ok(Verb::Get),
        "GET" | "HEAD" => Ok(Verb::List),
        _ if only_read => Err(ApiError::method_not_allowed()),
        "POST" if !is_part && (!is_named || target.kind.custom) => Ok(Verb::Create),
        "POST" => Err(refused("create")),
        "PUT" if is_named => Ok(Verb::Update),
        "PUT" if target.kind.custom => Err(ApiError::bad_request("name must be provided")),
        "PUT" => Err(refused("update")),
        "PATCH" if is_named || target.kind.custom => Ok(Verb::Patch),
        "PATCH" => Err(refused("patch")),
        "DELETE" if is_part => Err(refused("delete")),
        // A real server does not support deletecollection for namespaces.
        "DELETE" if !is_named && !target.kind.custom && target.kind.plural == "namespaces" => {
            Err(refused("deletecollection"))
        }
        "DELETE" => Ok(if is_named { Verb::Delete } else { Verb::DeleteCollection }),
        _ => Err(refused("")),
    }
}

/// Checks the media type before the body is read.
fn check_media_type(verb: Verb, content_type: &str, target: &Target) -> Result<(), ApiError> {
    match verb {
        Verb::Create | Verb::Update => {
            let media_type = content_type.split(';').next().unwrap_or_default().trim();
            let is_binary = media_type == wire::MEDIA_TYPE && !target.kind.custom;
            let is_known = is_binary || matches!(media_type, "" | "application/json" | "application/yaml");
            if is_known { Ok(()) } else { Err(ApiError::unsupported_media_type(MEDIA_TYPES)) }
        }
        Verb::Patch => {
            Dialect::read(content_type, &target.kind)?;
            let named = target.name.as_ref().map(|_| ());
            named.ok_or_else(|| ApiError::bad_request("name must be provided"))
        }
        _ => Ok(()),
    }
}
