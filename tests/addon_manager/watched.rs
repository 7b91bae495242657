//! The events of a run, as a watcher sees them, in the form in which the add-on manager was recorded.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::StreamExt as _;
use kube::api::{Api, ApiResource, DynamicObject, WatchEvent, WatchParams};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tidegate_sandbox::Sandbox;

/// The events so far, each with its revision.
type Events = Arc<Mutex<Vec<(u64, Value)>>>;

/// A watcher of add-ons and works.
pub(super) struct Watched(Events);

impl Watched {
    /// Starts to watch a hub.
    pub(super) fn start(sandbox: &Sandbox) -> Self {
        let events = Events::default();
        for (group, version, kind) in [
            ("addon.open-cluster-management.io", "v1alpha1", "ClusterManagementAddOn"),
            ("addon.open-cluster-management.io", "v1alpha1", "ManagedClusterAddOn"),
            ("work.open-cluster-management.io", "v1", "ManifestWork"),
        ] {
            let resource = ApiResource {
                group: group.to_owned(),
                version: version.to_owned(),
                api_version: format!("{group}/{version}"),
                kind: kind.to_owned(),
                plural: format!("{}s", kind.to_lowercase()),
            };
            let api: Api<DynamicObject> = Api::all_with(sandbox.client(), &resource);
            let events = events.clone();
            tokio::spawn(async move {
                let mut stream = api.watch(&WatchParams::default(), "0").await.unwrap().boxed();
                while let Some(Ok(event)) = stream.next().await {
                    let (what, object) = match event {
                        WatchEvent::Added(object) => ("ADDED", object),
                        WatchEvent::Modified(object) => ("MODIFIED", object),
                        WatchEvent::Deleted(object) => ("DELETED", object),
                        _ => continue,
                    };
                    let revision = object.metadata.resource_version.clone().unwrap().parse().unwrap();
                    events.lock().push((revision, recorded(what, kind, &serde_json::to_value(object).unwrap())));
                }
            });
        }
        Self(events)
    }

    /// Returns the events since the previous call, in the order of the writes.
    pub(super) fn take(&self) -> Vec<Value> {
        let mut events = std::mem::take(&mut *self.0.lock());
        events.sort_by_key(|(revision, _)| *revision);
        events.into_iter().map(|(_, event)| event).collect()
    }
}

/// Returns an event in the form of the recording: without times and uids, and with images and kinds instead of manifests.
fn recorded(what: &str, kind: &str, object: &Value) -> Value {
    let metadata = &object["metadata"];
    let mut event =
        json!({ "event": what, "kind": kind, "name": metadata["name"], "generation": metadata["generation"] });
    for field in ["namespace", "labels", "annotations"] {
        if let Some(value) = metadata.get(field) {
            event[field] = value.clone();
        }
    }
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let owners = list(&metadata["ownerReferences"]);
    let owner = |owner: &Value| format!("{}/{}", text(&owner["kind"]), text(&owner["name"]));
    if !owners.is_empty() {
        event["owners"] = owners.iter().map(owner).collect();
    }
    let manager = |entry: &Value| match entry["subresource"].as_str() {
        Some(part) => format!("{}/{part}", text(&entry["manager"])),
        None => text(&entry["manager"]).to_owned(),
    };
    event["managers"] = json!(list(&metadata["managedFields"]).iter().map(manager).collect::<BTreeSet<String>>());
    let mut spec = object["spec"].clone();
    if kind == "ManifestWork" {
        let manifests = list(&spec["workload"]["manifests"]);
        event["kinds"] = manifests.iter().map(|manifest| manifest["kind"].clone()).collect();
        let images = manifests.iter().filter_map(|m| m.pointer("/spec/template/spec/containers/0/image")?.as_str());
        event["images"] = images.map(|image| image.rsplit('/').next()).collect();
        spec.as_object_mut().unwrap().remove("workload");
    }
    event["spec"] = spec;
    if let Some(status) = object.get("status").filter(|_| kind != "ManifestWork") {
        event["status"] = status.clone();
    }
    let conditions = event.pointer_mut("/status/conditions").and_then(Value::as_array_mut);
    for condition in conditions.into_iter().flatten() {
        condition.as_object_mut().unwrap().remove("lastTransitionTime");
    }
    event
}

/// Returns a string, or an empty one.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
