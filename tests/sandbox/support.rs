//! Hubs for tests, and functions that send raw requests to them.

use std::sync::LazyLock;
use std::time::Duration;

use axum::http::Request;
use futures::StreamExt as _;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::client::Body;
use serde_json::{Value, json};
use tidegate_api::ocm::crds;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;

pub(super) const CLUSTERS: &str = "/apis/cluster.open-cluster-management.io/v1/managedclusters";
pub(super) const TEMPLATES: &str = "/apis/addon.open-cluster-management.io/v1alpha1/addontemplates";
pub(super) const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";

static CRDS: LazyLock<Vec<CustomResourceDefinition>> = LazyLock::new(|| crds::all().unwrap());

pub(super) fn hub() -> Sandbox {
    Sandbox::new(&CRDS, || "2026-08-11T12:00:00Z".parse::<Timestamp>().unwrap())
}

/// A hub without controllers.
pub(super) fn empty_hub() -> Sandbox {
    Sandbox::without_controllers(&CRDS, || "2026-08-11T12:00:00Z".parse::<Timestamp>().unwrap())
}

/// A response of the hub.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) code: u16,
    pub(super) body: Value,
}

impl Answer {
    /// Returns the string at a JSON pointer; empty if there is none.
    pub(super) fn text(&self, pointer: &str) -> &str {
        self.body.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the code and the reason of an error response.
    pub(super) fn refusal(&self) -> (u16, &str) {
        (self.code, self.text("/reason"))
    }

    pub(super) fn names(&self) -> Vec<&str> {
        let items = self.body["items"].as_array().unwrap();
        items.iter().map(|item| item["metadata"]["name"].as_str().unwrap()).collect()
    }
}

/// Sends a raw request, without a client's processing of requests and responses.
pub(super) async fn send(hub: &Sandbox, request: Request<Vec<u8>>) -> Answer {
    let response = hub.client().send(request.map(Body::from)).await.unwrap();
    let code = response.status().as_u16();
    let bytes = response.into_body().collect_bytes().await.unwrap();
    let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes)));
    Answer { code, body }
}

/// Sends a request with a JSON body; the method may include the type of a patch, as in `PATCH merge`.
pub(super) async fn ask(hub: &Sandbox, method: &str, path: &str, body: Value) -> Answer {
    let (method, media_type) = match method.split_once(' ') {
        Some((method, "apply")) => (method, "application/apply-patch+yaml".to_owned()),
        Some((method, dialect)) => (method, format!("application/{dialect}-patch+json")),
        None => (method, "application/json".to_owned()),
    };
    let is_whole = matches!(method, "POST" | "PUT") || media_type.ends_with("apply-patch+yaml");
    let body = if is_whole { typed(path, body) } else { body };
    let body = if body.is_null() { Vec::new() } else { serde_json::to_vec(&body).unwrap() };
    let request = Request::builder().method(method).uri(path).header("content-type", media_type);
    send(hub, request.body(body).unwrap()).await
}

/// Returns a body with `apiVersion` and `kind` filled in from the path.
fn typed(path: &str, mut body: Value) -> Value {
    const KINDS: &[(&str, &str)] = &[
        ("managedclusters", "ManagedCluster"),
        ("clustermanagementaddons", "ClusterManagementAddOn"),
        ("managedclusteraddons", "ManagedClusterAddOn"),
        ("addontemplates", "AddOnTemplate"),
        ("placements", "Placement"),
        ("configmaps", "ConfigMap"),
        ("manifestworks", "ManifestWork"),
        ("manifestworkreplicasets", "ManifestWorkReplicaSet"),
        ("appliedmanifestworks", "AppliedManifestWork"),
        ("addondeploymentconfigs", "AddOnDeploymentConfig"),
        ("addonplacementscores", "AddOnPlacementScore"),
        ("clusterclaims", "ClusterClaim"),
        ("clusterprofiles", "ClusterProfile"),
        ("managedclustersets", "ManagedClusterSet"),
        ("managedclustersetbindings", "ManagedClusterSetBinding"),
        ("placementdecisions", "PlacementDecision"),
        ("customresourcedefinitions", "CustomResourceDefinition"),
        ("things", "Thing"),
    ];
    let segments: Vec<&str> = path.split('?').next().unwrap().split('/').filter(|s| !s.is_empty()).collect();
    let version = if segments[0] == "api" { segments[1].to_owned() } else { segments[1..3].join("/") };
    let kind = KINDS.iter().find(|(plural, _)| segments.contains(plural)).map(|(_, kind)| *kind);
    if let (Some(kind), Some(members)) = (kind, body.as_object_mut()) {
        members.entry("kind").or_insert_with(|| json!(kind));
        members.entry("apiVersion").or_insert_with(|| json!(version));
    }
    body
}

pub(super) async fn get(hub: &Sandbox, path: &str) -> Answer {
    ask(hub, "GET", path, Value::Null).await
}

pub(super) fn cluster(name: &str) -> Value {
    json!({
        "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster", "metadata": { "name": name },
        "spec": { "hubAcceptsClient": true },
    })
}

pub(super) fn config_map(name: &str, data: Value) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name }, "data": data })
}

pub(super) fn template(name: &str, image: &str) -> Value {
    let manifest =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "x" }, "data": { "image": image } });
    json!({
        "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "AddOnTemplate", "metadata": { "name": name },
        "spec": { "addonName": "hello", "agentSpec": { "workload": { "manifests": [manifest] } } },
    })
}

/// An open watch.
pub(super) struct Watch {
    lines: futures::stream::BoxStream<'static, String>,
}

pub(super) async fn watch(hub: &Sandbox, path: &str) -> Watch {
    let request = Request::builder().uri(path).body(Body::empty()).unwrap();
    let response = hub.client().send(request).await.unwrap();
    assert_eq!(response.status(), 200, "the watch of {path} does not start");
    let chunks = axum::body::Body::new(response.into_body()).into_data_stream();
    let lines = chunks.map(|chunk| String::from_utf8(chunk.unwrap().to_vec()).unwrap());
    Watch { lines: lines.boxed() }
}

impl Watch {
    /// Returns the next event; `None` if there are no more. Time is paused, so waiting takes no real time.
    pub(super) async fn next(&mut self) -> Option<Value> {
        let line = tokio::time::timeout(Duration::from_secs(1), self.lines.next()).await.ok()??;
        Some(serde_json::from_str(&line).unwrap())
    }

    /// Returns the remaining events as `TYPE name`.
    pub(super) async fn rest(&mut self) -> Vec<String> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            let name = event.pointer("/object/metadata/name").and_then(Value::as_str).unwrap_or_default();
            events.push(format!("{} {name}", event["type"].as_str().unwrap()));
        }
        events
    }

    /// Returns `true` if the server has ended the watch.
    pub(super) async fn is_over(&mut self) -> bool {
        matches!(tokio::time::timeout(Duration::from_secs(1), self.lines.next()).await, Ok(None))
    }
}
