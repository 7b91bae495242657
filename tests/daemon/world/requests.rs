//! Requests to the hub by clients other than the daemon. A path may end with `?fieldManager=` and the name of such a client.

use axum::http::Request;
use axum::http::request::Builder;
use serde_json::Value;

/// Reads an object or a list; `None` if the hub does not have it.
pub(in crate::daemon) async fn get(client: &kube::Client, path: &str) -> Option<Value> {
    client.request(Request::get(path).body(Vec::new()).unwrap()).await.ok()
}

/// Changes the fields of an object that a merge patch contains.
pub(in crate::daemon) async fn patch(client: &kube::Client, path: &str, patch: &Value) {
    send(client, Request::patch(path).header("content-type", "application/merge-patch+json"), patch).await;
}

/// Creates an object in the collection with this path.
pub(in crate::daemon) async fn create(client: &kube::Client, collection: &str, object: &Value) {
    send(client, Request::post(collection).header("content-type", "application/json"), object).await;
}

/// Deletes an object.
pub(in crate::daemon) async fn delete(client: &kube::Client, path: &str) {
    client.request::<Value>(Request::delete(path).body(Vec::new()).unwrap()).await.unwrap();
}

async fn send(client: &kube::Client, request: Builder, body: &Value) {
    client.request::<Value>(request.body(body.to_string().into_bytes()).unwrap()).await.unwrap();
}
