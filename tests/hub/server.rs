//! A small API server in memory: just enough lists, watches and writes to test the hub, with faults on demand.
//!
//! It serves objects in the stored version only. A request in another version fails, as on a hub whose conversion webhook is down.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::served::{discovery, status};

pub(super) struct Kind {
    pub(super) group: &'static str,
    pub(super) versions: Vec<&'static str>,
    pub(super) stored: &'static str,
    pub(super) kind: &'static str,
    pub(super) plural: &'static str,
    pub(super) namespaced: bool,
}

pub(super) struct Fault {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) code: u16,
    pub(super) retry_after: Option<u64>,
    pub(super) times: usize,
}

#[derive(Clone)]
pub(super) struct Server {
    pub(super) inner: Arc<Mutex<Inner>>,
    wake: Arc<watch::Sender<()>>,
}

#[derive(Default)]
pub(super) struct Inner {
    pub(super) kinds: Vec<Kind>,
    pub(super) objects: BTreeMap<(String, String, String), Value>,
    pub(super) version: u64,
    /// Version, kind of event, plural, object.
    log: Vec<(u64, &'static str, String, Value)>,
    /// Watches cannot start from this version or an earlier one.
    compacted: u64,
    /// Watches of an earlier epoch are cut.
    epoch: u64,
    /// Whether watches are silent for a while.
    pub(super) silent: bool,
    pub(super) hide_crds: bool,
    /// Whether the second page of a list has always expired.
    pub(super) expire_pages: bool,
    pub(super) faults: Vec<Fault>,
    /// Method and part of the path of writes that are made, and whose answer is lost.
    pub(super) unanswered: Vec<(Method, &'static str)>,
    /// Every request as `METHOD path?query`.
    pub(super) requests: Vec<String>,
    /// Body of every patch.
    pub(super) patches: Vec<Value>,
    pub(super) writing: usize,
    pub(super) most_writing: usize,
}

pub(super) struct Backup {
    objects: BTreeMap<(String, String, String), Value>,
    version: u64,
}

struct Target {
    plural: String,
    namespace: String,
    name: Option<String>,
    status: bool,
}

impl Server {
    pub(super) fn new(kinds: Vec<Kind>) -> Self {
        let inner = Inner { kinds, version: 1, ..Inner::default() };
        Self { inner: Arc::new(Mutex::new(inner)), wake: Arc::new(watch::Sender::new(())) }
    }

    pub(super) fn client(&self) -> kube::Client {
        kube::Client::new(Router::new().fallback(handle).with_state(self.clone()), "default")
    }

    pub(super) fn with<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let result = change(&mut self.inner.lock().unwrap());
        self.wake.send_replace(());
        result
    }

    /// Stores an object as another client would, and returns it.
    pub(super) fn put(&self, plural: &str, object: Value) -> Value {
        self.with(|inner| inner.put(plural, object))
    }

    pub(super) fn remove(&self, plural: &str, namespace: &str, name: &str) {
        self.with(|inner| inner.remove(&(plural.into(), namespace.into(), name.into())));
    }

    pub(super) fn get(&self, plural: &str, namespace: &str, name: &str) -> Option<Value> {
        self.with(|inner| inner.objects.get(&(plural.into(), namespace.into(), name.into())).cloned())
    }

    pub(super) fn fail(&self, method: Method, path: &str, code: u16, times: usize) {
        let fault = Fault { method, path: path.to_owned(), code, retry_after: None, times };
        self.with(|inner| inner.faults.push(fault));
    }

    /// Ends all watches. With `compact`, they cannot be resumed.
    pub(super) fn cut_watches(&self, compact: bool) {
        self.with(|inner| {
            inner.epoch += 1;
            if compact {
                inner.version += 1;
                inner.compacted = inner.version;
            }
        });
    }

    /// Returns the current content of the server.
    pub(super) fn backup(&self) -> Backup {
        self.with(|inner| Backup { objects: inner.objects.clone(), version: inner.version })
    }

    /// Resets the server to an older state and ends all watches, as a restore of etcd does.
    pub(super) fn restore(&self, backup: &Backup) {
        self.with(|inner| {
            inner.objects = backup.objects.clone();
            inner.version = backup.version;
            inner.log.retain(|(version, ..)| *version <= backup.version);
            inner.epoch += 1;
        });
    }

    pub(super) fn open_watches(&self) -> usize {
        self.wake.receiver_count()
    }

    pub(super) fn requested(&self, start: &str) -> usize {
        self.with(|inner| inner.requests.iter().filter(|request| request.starts_with(start)).count())
    }

    fn stream(&self, plural: String, query: BTreeMap<String, String>) -> Body {
        let from: u64 = query.get("resourceVersion").and_then(|v| v.parse().ok()).unwrap_or(0);
        let selector = query.get("labelSelector").cloned();
        let epoch = self.inner.lock().unwrap().epoch;
        let start = (self.clone(), self.wake.subscribe(), from, false);
        Body::from_stream(futures::stream::unfold(start, move |(server, mut wake, from, ended)| {
            let (plural, selector) = (plural.clone(), selector.clone());
            async move {
                loop {
                    if ended {
                        return None;
                    }
                    wake.borrow_and_update();
                    {
                        let inner = server.inner.lock().unwrap();
                        if inner.epoch != epoch {
                            return None;
                        }
                        if from < inner.compacted {
                            let gone =
                                json!({ "type": "ERROR", "object": status(410, "Expired", "too old", json!({})) });
                            drop(inner);
                            return Some((line(&gone), (server, wake, from, true)));
                        }
                        let new = inner.log.partition_point(|(version, ..)| *version <= from);
                        let next = inner.log[new..]
                            .iter()
                            .find(|(_, _, kind, object)| *kind == plural && selected(object, selector.as_deref()));
                        if let (Some((version, event, _, object)), false) = (next, inner.silent) {
                            let (version, text) = (*version, line(&json!({ "type": event, "object": object })));
                            drop(inner);
                            return Some((text, (server, wake, version, false)));
                        }
                    }
                    if wake.changed().await.is_err() {
                        return None;
                    }
                }
            }
        }))
    }
}

fn line(event: &Value) -> Result<String, std::convert::Infallible> {
    Ok(format!("{event}\n"))
}

impl Inner {
    pub(super) fn put(&mut self, plural: &str, mut object: Value) -> Value {
        self.version += 1;
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or("").to_owned();
        let key = (plural.to_owned(), text("/metadata/namespace"), text("/metadata/name"));
        let old = self.objects.get(&key);
        let uid = old.map_or(json!(format!("uid-{}", self.version)), |old| old["metadata"]["uid"].clone());
        let event = if old.is_some() { "MODIFIED" } else { "ADDED" };
        object["metadata"]["uid"] = uid;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        object["metadata"]["managedFields"] = json!([{ "manager": "someone" }]);
        self.objects.insert(key, object.clone());
        self.log.push((self.version, event, plural.to_owned(), object.clone()));
        object
    }

    fn remove(&mut self, key: &(String, String, String)) -> Option<Value> {
        let mut object = self.objects.remove(key)?;
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.log.push((self.version, "DELETED", key.0.clone(), object.clone()));
        Some(object)
    }
}

async fn handle(State(server): State<Server>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let path = parts.uri.path().to_owned();
    let query = pairs(parts.uri.query().unwrap_or(""));
    let writes = parts.method != Method::GET;
    {
        let mut inner = server.inner.lock().unwrap();
        inner.requests.push(format!("{} {}", parts.method, parts.uri));
        let fault = inner.faults.iter_mut().find(|f| f.times > 0 && f.method == parts.method && path.contains(&f.path));
        if let Some(fault) = fault {
            fault.times -= 1;
            let mut response = Response::builder().status(fault.code);
            if let Some(seconds) = fault.retry_after {
                response = response.header("retry-after", seconds);
            }
            return response.body(Body::from("not so fast")).unwrap();
        }
        if writes {
            inner.writing += 1;
            inner.most_writing = inner.most_writing.max(inner.writing);
        }
    }
    if writes {
        // Lets other requests arrive, too, so that the concurrency limit can be measured.
        tokio::task::yield_now().await;
        server.inner.lock().unwrap().writing -= 1;
    }
    let is_lost = |(method, part): &(Method, &str)| *method == parts.method && path.contains(part);
    let is_unanswered = server.with(|inner| inner.unanswered.iter().any(is_lost));
    let served = discovery(&server.inner.lock().unwrap(), &path);
    let (code, answer) = match served {
        Some(answer) => answer,
        None => match target(&server, &path) {
            Err(answer) => answer,
            Ok(target) if query.get("watch").is_some_and(|w| w == "true") => {
                return Response::new(server.stream(target.plural, query));
            }
            Ok(target) => server.with(|inner| answer(inner, &parts.method, target, &query, body)),
        },
    };
    let code = if is_unanswered { 504 } else { code };
    Response::builder().status(StatusCode::from_u16(code).unwrap()).body(Body::from(answer.to_string())).unwrap()
}

fn pairs(query: &str) -> BTreeMap<String, String> {
    let decode = |text: &str| text.replace("%3D", "=").replace("%2F", "/").replace("%2C", ",").replace('+', " ");
    query.split('&').filter_map(|pair| pair.split_once('=')).map(|(k, v)| (k.to_owned(), decode(v))).collect()
}

fn target(server: &Server, path: &str) -> Result<Target, (u16, Value)> {
    let inner = server.inner.lock().unwrap();
    let mut parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let group = if parts.remove(0) == "api" { "" } else { parts.remove(0) };
    let version = parts.remove(0);
    let mut namespace = "";
    if parts.len() > 2 && parts[0] == "namespaces" && parts[2] != "status" {
        namespace = parts[1];
        parts.drain(..2);
    }
    let not_found = || (404, json!("404 page not found"));
    let kind = inner.kinds.iter().find(|k| k.group == group && k.plural == parts[0]).ok_or_else(not_found)?;
    if !kind.versions.contains(&version) {
        return Err(not_found());
    }
    if version != kind.stored {
        return Err((500, status(500, "InternalError", "conversion webhook failed", json!({}))));
    }
    let name = parts.get(1).map(|name| (*name).to_owned());
    Ok(Target { plural: parts[0].into(), namespace: namespace.into(), name, status: parts.get(2) == Some(&"status") })
}

fn selected(object: &Value, selector: Option<&str>) -> bool {
    let Some(selector) = selector else { return true };
    selector.split(',').all(|term| {
        let (label, value) = term.split_once('=').map_or((term, None), |(label, value)| (label, Some(value)));
        let found = object["metadata"]["labels"].get(label).and_then(Value::as_str);
        found.is_some() && value.is_none_or(|value| found == Some(value))
    })
}

fn answer(
    inner: &mut Inner,
    method: &Method,
    target: Target,
    query: &BTreeMap<String, String>,
    body: Value,
) -> (u16, Value) {
    let Target { plural, namespace, name, status: on_status } = target;
    let Some(name) = name else {
        return if method == Method::GET {
            list(inner, (&plural, &namespace), query)
        } else {
            create(inner, &plural, body)
        };
    };
    let key = (plural.clone(), namespace, name);
    let Some(mut object) = inner.objects.get(&key).cloned() else {
        if method == Method::PATCH && query.contains_key("force") {
            return create(inner, &plural, body);
        }
        return (404, status(404, "NotFound", "not found", json!({ "kind": plural, "name": key.2 })));
    };
    if method == Method::GET {
        return (200, object);
    }
    let expected = if method == Method::DELETE { &body["preconditions"] } else { &body["metadata"] };
    for member in ["uid", "resourceVersion"] {
        if !expected[member].is_null() && expected[member] != object["metadata"][member] {
            return (409, status(409, "Conflict", "the object has been modified", json!({})));
        }
    }
    if method == Method::DELETE {
        if object["metadata"].get("finalizers").is_some() {
            object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
            return (200, inner.put(&plural, object));
        }
        inner.remove(&key);
        return (200, json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success" }));
    }
    inner.patches.push(body.clone());
    let only_status: Map<String, Value> = body
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(k, _)| *k == "status")
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    json_patch::merge(&mut object, &if on_status { Value::Object(only_status) } else { body });
    (200, inner.put(&plural, object))
}

fn list(inner: &Inner, (plural, within): (&str, &str), query: &BTreeMap<String, String>) -> (u16, Value) {
    let selector = query.get("labelSelector").map(String::as_str);
    let called = query.get("fieldSelector").and_then(|selector| selector.strip_prefix("metadata.name="));
    let all: Vec<&Value> = inner
        .objects
        .iter()
        .filter(|((kind, namespace, name), object)| {
            let is_meant = (within.is_empty() || namespace == within) && called.is_none_or(|called| name == called);
            kind == plural && is_meant && selected(object, selector)
        })
        .map(|(_, object)| object)
        .collect();
    let number = |name: &str| query.get(name).and_then(|text| text.parse::<usize>().ok());
    let from = number("continue").unwrap_or(0);
    if from > 0 && inner.expire_pages {
        return (410, status(410, "Expired", "the continue token is too old", json!({})));
    }
    let to = number("limit").map_or(all.len(), |limit| (from + limit).min(all.len()));
    let mut metadata = json!({ "resourceVersion": inner.version.to_string() });
    if to < all.len() {
        metadata["continue"] = json!(to.to_string());
    }
    (200, json!({ "kind": "List", "metadata": metadata, "items": all[from..to] }))
}

fn create(inner: &mut Inner, plural: &str, object: Value) -> (u16, Value) {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or("").to_owned();
    let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name"));
    if !namespace.is_empty() && !inner.objects.contains_key(&("namespaces".into(), String::new(), namespace.clone())) {
        let message = format!("namespaces {namespace:?} not found");
        return (404, status(404, "NotFound", &message, json!({ "kind": "namespaces", "name": namespace })));
    }
    if inner.objects.contains_key(&(plural.to_owned(), namespace, name)) {
        return (409, status(409, "AlreadyExists", "already exists", json!({})));
    }
    (201, inner.put(plural, object))
}
