//! A cluster with a real API server, and what runs there: the work agent and an autoscaler.

use std::collections::BTreeMap;

use http::Request;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::client::Body;
use serde_json::{Value, json};
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;

/// The field manager of autoscalers.
pub(super) const AUTOSCALER: &str = "kube-controller-manager";
const AUTOSCALER_KIND: &str = "HorizontalPodAutoscaler";

/// A cluster with its API server.
pub(super) struct Spoke(Sandbox);

/// Returns a kind whose number of replicas is 1 by default.
fn kind(group: &str, version: &str, kind: &str) -> CustomResourceDefinition {
    let plural = format!("{}s", kind.to_lowercase());
    let replicas = json!({ "type": "integer", "default": 1 });
    let spec = json!({
        "type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "properties": if kind == "Deployment" { json!({ "replicas": replicas }) } else { json!({}) },
    });
    serde_json::from_value(json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.{group}") },
        "spec": {
            "group": group, "scope": "Namespaced",
            "names": { "kind": kind, "plural": plural, "singular": kind.to_lowercase(), "listKind": format!("{kind}List") },
            "versions": [{
                "name": version, "served": true, "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": spec } } },
            }],
        },
    }))
    .unwrap()
}

fn path(object: &Value) -> String {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let plural = format!("{}s", text("/kind").to_lowercase());
    let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name"));
    format!("/apis/{}/namespaces/{namespace}/{plural}/{name}", text("/apiVersion"))
}

impl Spoke {
    pub(super) fn new() -> Self {
        let kinds = [kind("apps", "v1", "Deployment"), kind("autoscaling", "v2", AUTOSCALER_KIND)];
        let spoke = Sandbox::new(&kinds, || Timestamp::UNIX_EPOCH);
        let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "fleet-addons" } });
        spoke.seed([namespace]).unwrap();
        Self(spoke)
    }

    /// Sends a request, and returns the object or the message of the refusal.
    async fn ask(&self, method: &str, media: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if body.is_null() { Vec::new() } else { serde_json::to_vec(body).unwrap() };
        let request = Request::builder().method(method).uri(path).header("content-type", media);
        let response = self.0.client().send(request.body(Body::from(body)).unwrap()).await.unwrap();
        let is_accepted = response.status().is_success();
        let bytes = response.into_body().collect_bytes().await.unwrap();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        if is_accepted { Ok(answer) } else { Err(answer["message"].as_str().unwrap_or_default().to_owned()) }
    }

    async fn live(&self, manifest: &Value) -> Option<Value> {
        self.ask("GET", "application/json", &path(manifest), &Value::Null).await.ok()
    }

    /// Returns the number of replicas that a workload is to have; `None` if there is no such workload.
    pub(super) async fn replicas(&self, manifest: &Value) -> Option<i64> {
        self.live(manifest).await?["spec"]["replicas"].as_i64()
    }

    /// Applies the works as OCM's agent does, and reports on them.
    pub(super) async fn reconcile(&self, works: &mut BTreeMap<String, Value>) {
        for work in works.values_mut() {
            let manifests = work["spec"]["workload"]["manifests"].as_array().cloned().unwrap_or_default();
            let mut reports = Vec::new();
            for (ordinal, manifest) in manifests.iter().enumerate() {
                let strategy = &config(work, manifest)["updateStrategy"];
                let force = strategy["serverSideApply"]["force"] == true;
                let target = format!("{}?fieldManager=work-agent&force={force}", path(manifest));
                let is_created = strategy["type"] == "CreateOnly" && self.live(manifest).await.is_some();
                let applied = match is_created {
                    true => Ok(Value::Null),
                    false => self.ask("PATCH", "application/apply-patch+yaml", &target, manifest).await,
                };
                let live = self.live(manifest).await.unwrap_or_default();
                reports.push(report(work, (ordinal, manifest), applied.err(), &live));
            }
            let is_applied = reports.iter().all(|report| report["conditions"][0]["status"] == "True");
            work["status"] = json!({
                "conditions": [condition(work, "Applied", is_applied, ""), condition(work, "Available", true, "")],
                "resourceStatus": { "manifests": reports },
            });
        }
    }

    /// Sets the number of replicas of a workload, as an autoscaler does.
    pub(super) async fn scale(&self, manifest: &Value, replicas: i64) {
        let patch = json!({ "spec": { "replicas": replicas } });
        let target = format!("{}?fieldManager={AUTOSCALER}", path(manifest));
        self.ask("PATCH", "application/merge-patch+json", &target, &patch).await.unwrap();
    }
}

/// Returns the configuration of a manifest.
fn config(work: &Value, manifest: &Value) -> Value {
    let configs = work["spec"]["manifestConfigs"].as_array().cloned().unwrap_or_default();
    let plural = format!("{}s", manifest["kind"].as_str().unwrap().to_lowercase());
    let of_manifest = |config: &Value| {
        let identifier = &config["resourceIdentifier"];
        identifier["resource"] == plural.as_str() && identifier["name"] == manifest["metadata"]["name"]
    };
    configs.into_iter().find(of_manifest).unwrap_or_default()
}

fn condition(work: &Value, type_: &str, is_true: bool, message: &str) -> Value {
    json!({
        "type": type_, "status": if is_true { "True" } else { "False" }, "reason": "r", "message": message,
        "lastTransitionTime": "1970-01-01T00:00:00Z", "observedGeneration": work["metadata"]["generation"],
    })
}

fn report(work: &Value, (ordinal, manifest): (usize, &Value), refused: Option<String>, live: &Value) -> Value {
    let api_version = manifest["apiVersion"].as_str().unwrap();
    let (group, version) = api_version.split_once('/').unwrap();
    let kind = manifest["kind"].as_str().unwrap();
    let replicas = &live["spec"]["replicas"];
    // The status has no numbers that are 0.
    let there = Some(replicas.clone()).filter(|replicas| *replicas != 0);
    let managers = live["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let owns =
        |entry: &Value| entry["manager"] == AUTOSCALER && entry["fieldsV1"]["f:spec"].get("f:replicas").is_some();
    // This API server has no subresource scale, through which an autoscaler writes.
    let scaled_by = managers.iter().any(owns).then(|| json!(AUTOSCALER));
    let values = [
        ("ReadyReplicas", there.clone()),
        ("Replicas", there.clone()),
        ("TidegateGeneration", Some(live["metadata"]["generation"].clone())),
        ("TidegateObservedGeneration", Some(live["metadata"]["generation"].clone())),
        ("TidegateDesiredReplicas", Some(replicas.clone())),
        ("TidegateUpdatedReplicas", there),
        ("TidegateScaledBy", scaled_by),
    ];
    let asked = config(work, manifest)["feedbackRules"].to_string();
    let is_asked = |name: &str| asked.contains(name) || !name.starts_with("Tidegate");
    let value = |(name, value): (&str, Option<Value>)| {
        let of_type = if value.as_ref()?.is_string() { "string" } else { "integer" };
        is_asked(name).then(|| json!({ "name": name, "fieldValue": { "type": of_type, of_type: value } }))
    };
    let values: Vec<Value> = match kind {
        "Deployment" => values.into_iter().filter_map(value).collect(),
        _ => Vec::new(),
    };
    let message = refused.as_ref().map(|why| format!("Failed to apply manifest: {why}")).unwrap_or_default();
    json!({
        "resourceMeta": {
            "ordinal": ordinal, "group": group, "version": version, "kind": kind,
            "resource": format!("{}s", kind.to_lowercase()),
            "name": manifest["metadata"]["name"], "namespace": manifest["metadata"]["namespace"],
        },
        "statusFeedback": { "values": values },
        "conditions": [condition(work, "Applied", refused.is_none(), &message)],
    })
}
