//! From HTTP requests to verbs.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method, header};
use axum::response::Response;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::answer::{self, Form};
use super::describe;
use super::watch;
use crate::sandbox::Sandbox;
use crate::sandbox::refusal::{Refusal, deleted};
use crate::sandbox::request::{DeleteOptions, Dialect, ListOptions, Parameters, Route, Target, WriteOptions, route};
use crate::sandbox::verbs::{Deleted, check_manager, list};
use crate::sandbox::wire;

/// The largest body that a real server takes.
const BODY_LIMIT: usize = 3 * 1024 * 1024;

/// Returns the hub as a router. When `closing` is cancelled, open watches end.
pub(crate) fn router(sandbox: Sandbox, closing: CancellationToken) -> Router {
    Router::new().fallback(handle).with_state(Hub { sandbox, closing })
}

#[derive(Clone)]
struct Hub {
    sandbox: Sandbox,
    closing: CancellationToken,
}

/// A request that has arrived whole.
struct Call {
    method: Method,
    target: Target,
    parameters: Parameters,
    form: Form,
    content_type: String,
    user_agent: String,
    body: Bytes,
}

async fn handle(State(hub): State<Hub>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if let Some(answer) = describe::review(&parts) {
        return answer;
    }
    let target = match route(hub.sandbox.catalog(), parts.uri.path()) {
        None => return answer::page_not_found(),
        Some(Route::Document(document)) => {
            let accept = parts.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
            return describe::describe(hub.sandbox.catalog(), &document, accept);
        }
        Some(Route::Objects(target)) => target,
    };
    match serve(&hub, target, parts, body).await {
        Ok(response) => response,
        Err(refusal) => answer::json(refusal.code, &refusal.to_status()),
    }
}

async fn serve(hub: &Hub, target: Target, parts: Parts, body: Body) -> Result<Response, Refusal> {
    let query = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
    let parameters = Parameters(query.map_err(|error| Refusal::bad_request(error.to_string()))?.0);
    let text = |name: HeaderName| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let call = Call {
        form: Form::read(text(header::ACCEPT), &parameters),
        content_type: text(header::CONTENT_TYPE).to_owned(),
        user_agent: text(header::USER_AGENT).to_owned(),
        body: to_bytes(body, BODY_LIMIT).await.map_err(|_| Refusal::too_large(BODY_LIMIT))?,
        method: parts.method,
        target,
        parameters,
    };
    let named = call.target.name.clone();
    match (call.method.as_str(), named) {
        ("GET", Some(name)) => call.get(&hub.sandbox, &name),
        ("GET", None) if call.parameters.flag("watch") => {
            let options = ListOptions::read(&call.parameters)?;
            watch::start(&hub.sandbox, call.target, options, call.form, hub.closing.clone())
        }
        ("GET", None) => call.list(&hub.sandbox),
        ("POST", None) => call.create(&hub.sandbox),
        ("PUT", Some(name)) => call.replace(&hub.sandbox, &name),
        ("PATCH", Some(name)) => call.patch(&hub.sandbox, &name),
        ("DELETE", Some(name)) if !call.target.status => call.delete(&hub.sandbox, &name),
        ("DELETE", None) => call.delete_collection(&hub.sandbox),
        _ => Err(Refusal::method_not_allowed()),
    }
}

impl Call {
    fn get(&self, sandbox: &Sandbox, name: &str) -> Result<Response, Refusal> {
        let found = sandbox.read(|store| store.get(&self.target.place(name)).cloned());
        let found = found.ok_or_else(|| Refusal::not_found(&self.target.kind, name))?;
        Ok(self.one(sandbox, 200, &found))
    }

    fn list(&self, sandbox: &Sandbox) -> Result<Response, Refusal> {
        let options = ListOptions::read(&self.parameters)?;
        let page = sandbox.read(|store| list(store, &self.target, &options))?;
        Ok(answer::json(200, &self.form.page(&self.target, &page, sandbox.now())))
    }

    fn create(&self, sandbox: &Sandbox) -> Result<Response, Refusal> {
        let options = self.write_options()?;
        let body = self.object()?;
        let created = sandbox.transact(|hub| hub.create(&self.target, body, &options))?;
        Ok(self.one(sandbox, 201, &created))
    }

    fn replace(&self, sandbox: &Sandbox, name: &str) -> Result<Response, Refusal> {
        let options = self.write_options()?;
        let body = self.object()?;
        let replaced = sandbox.transact(|hub| hub.replace(&self.target, name, body, &options))?;
        Ok(self.one(sandbox, 200, &replaced))
    }

    fn patch(&self, sandbox: &Sandbox, name: &str) -> Result<Response, Refusal> {
        let options = self.write_options()?;
        let dialect = Dialect::read(&self.content_type)?;
        if dialect == Dialect::Apply {
            check_manager(self.parameters.text("fieldManager"))?;
            let body = self.yaml()?;
            let (applied, is_new) = sandbox.transact(|hub| hub.apply(&self.target, name, body, &options))?;
            return Ok(self.one(sandbox, if is_new { 201 } else { 200 }, &applied));
        }
        let patch = serde_json::from_slice::<Value>(&self.body);
        let patch = patch.map_err(|error| Refusal::bad_request(format!("error decoding patch: {error}")))?;
        let patched = sandbox.transact(|hub| hub.patch(&self.target, name, &patch, dialect, &options))?;
        Ok(self.one(sandbox, 200, &patched))
    }

    fn delete(&self, sandbox: &Sandbox, name: &str) -> Result<Response, Refusal> {
        let options = self.delete_options()?;
        match sandbox.transact(|hub| hub.delete(&self.target, name, &options))? {
            Deleted::Gone { uid } => Ok(answer::json(200, &deleted(&self.target.kind, name, &uid))),
            Deleted::Waiting(object) => Ok(self.one(sandbox, 200, &object)),
        }
    }

    fn delete_collection(&self, sandbox: &Sandbox) -> Result<Response, Refusal> {
        let options = self.delete_options()?;
        let selector = ListOptions::read(&self.parameters)?.selector;
        let items = sandbox.transact(|hub| hub.delete_collection(&self.target, &selector, &options))?;
        Ok(answer::json(
            200,
            &self.form.items(&self.target, items, sandbox.read(|store| store.revision()), sandbox.now()),
        ))
    }

    fn one(&self, sandbox: &Sandbox, code: u16, object: &Arc<Value>) -> Response {
        let object = self.target.kind.present(object, &self.target.version);
        answer::json(code, &*self.form.object(&self.target, &object, sandbox.now()))
    }

    fn write_options(&self) -> Result<WriteOptions, Refusal> {
        WriteOptions::read(&self.parameters, &self.user_agent)
    }

    fn delete_options(&self) -> Result<DeleteOptions, Refusal> {
        let body = if self.body.is_empty() { Value::Null } else { self.object()? };
        DeleteOptions::read(&self.parameters, &body)
    }

    /// Reads a body in JSON, or in YAML where the client says so.
    fn object(&self) -> Result<Value, Refusal> {
        if self.content_type.contains("yaml") {
            return self.yaml();
        }
        if self.content_type.contains("protobuf") {
            let unreadable = || Refusal::bad_request("the body is no object of a core kind in binary form");
            return wire::object(&self.body).ok_or_else(unreadable);
        }
        serde_json::from_slice(&self.body).map_err(|error| self.unrecognized(&error.to_string()))
    }

    /// Reads a body in YAML, of which JSON is a part and by far the faster one to read.
    fn yaml(&self) -> Result<Value, Refusal> {
        serde_json::from_slice(&self.body).or_else(|_| {
            let text = std::str::from_utf8(&self.body).map_err(|error| self.unrecognized(&error.to_string()))?;
            serde_saphyr::from_str(text).map_err(|error| Refusal::bad_request(format!("error decoding YAML: {error}")))
        })
    }

    fn unrecognized(&self, why: &str) -> Refusal {
        let body = String::from_utf8_lossy(&self.body);
        Refusal::bad_request(format!(
            "the object provided is unrecognized (must be of type {}): couldn't get version/kind; json parse error: {why} ({})",
            self.target.kind.kind,
            body.chars().take(100).collect::<String>()
        ))
    }
}
