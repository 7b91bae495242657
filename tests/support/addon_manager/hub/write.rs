//! Writing to the hub, and counting the writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::Request;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::action::{Precondition, Write};
use tidegate_model::object::ObjectKey;

use crate::upstream::hub::kind::{ADDON, BINDING, CLUSTER_ADDON, Kind, LEASE, WORK};

/// The field manager of OCM's add-on manager, which is the name of its executable. It was recorded with this one; in OCM's image the
/// executable is `addon`.
pub(crate) const FIELD_MANAGER: &str = "ocm-addon";

/// The number of successful writes, by kind; those of a status are counted as `<kind>/status`.
pub(crate) type Counts = BTreeMap<String, u64>;

/// A client that writes in the name of one field manager.
#[derive(Clone)]
pub(in crate::upstream) struct Writer {
    client: kube::Client,
    counts: Arc<Mutex<Counts>>,
}

impl Writer {
    pub(in crate::upstream) fn new(client: kube::Client, counts: Arc<Mutex<Counts>>) -> Self {
        Self { client, counts }
    }

    /// Carries out a write as a field manager, and returns the object as it is then; `None` after a deletion.
    pub(in crate::upstream) async fn write(
        &self,
        manager: &str,
        write: &Write,
    ) -> Result<Option<(Kind, Value)>, kube::Error> {
        let Some(key) = write.key() else { return Ok(None) };
        let Some(kind) = kind_of(&key) else { return Ok(None) };
        let objects = kind.path(&key.namespace);
        let object = format!("{objects}/{}", key.name);
        let (verb, path, body) = match write {
            Write::Create { object } => ("POST", objects, object.json.value()),
            Write::Patch { precondition, patch, .. } => {
                ("PATCH", object, with_precondition(&patch.value(), precondition))
            }
            Write::PatchStatus { precondition, status, .. } => {
                let patch = json!({ "status": status.value() });
                let patch = precondition.as_ref().map_or(patch.clone(), |known| with_precondition(&patch, known));
                ("PATCH", format!("{object}/status"), patch)
            }
            Write::Delete { precondition, .. } => {
                ("DELETE", object, json!({ "preconditions": { "uid": precondition.uid } }))
            }
            Write::Apply { .. } | Write::Declare { .. } | Write::Replace { .. } => {
                unreachable!("the stand-in neither applies objects nor replaces subresources")
            }
        };
        let answer = self.send(verb, &format!("{path}?fieldManager={manager}"), &body).await?;
        let what = if matches!(write, Write::PatchStatus { .. }) { "/status" } else { "" };
        self.count(&format!("{}{what}", key.kind));
        Ok((verb != "DELETE").then_some((kind, answer)))
    }

    /// Sends a request that is not counted.
    pub(in crate::upstream) async fn send(&self, verb: &str, path: &str, body: &Value) -> Result<Value, kube::Error> {
        let media_type = if verb == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let request = Request::builder().method(verb).uri(path).header("content-type", media_type).body(body).unwrap();
        self.client.request(request).await
    }

    /// Counts a write.
    pub(in crate::upstream) fn count(&self, what: &str) {
        *self.counts.lock().entry(what.to_owned()).or_default() += 1;
    }
}

fn kind_of(key: &ObjectKey) -> Option<Kind> {
    let kinds = [ADDON, CLUSTER_ADDON, WORK, BINDING, LEASE];
    kinds.into_iter().find(|kind| kind.group == key.group && kind.kind == key.kind)
}

fn with_precondition(patch: &Value, precondition: &Precondition) -> Value {
    let mut patch = patch.clone();
    patch["metadata"]["uid"] = json!(precondition.uid);
    patch["metadata"]["resourceVersion"] = json!(precondition.resource_version);
    patch
}

/// Returns the write of a changed status: each field that differs, as a merge patch. `None` if nothing has changed.
///
/// Go writes empty hashes and generations, which the types leave out.
pub(in crate::upstream) fn status_write<S: serde::Serialize + PartialEq>(
    kind: Kind,
    metadata: &kube::core::ObjectMeta,
    (before, after): (&S, &S),
) -> Option<Write> {
    if before == after {
        return None;
    }
    let (before, after) = (json!(before), json!(after));
    let mut status = json!({});
    for name in before.as_object()?.keys().chain(after.as_object()?.keys()) {
        if before.get(name) != after.get(name) {
            status[name] = after.get(name).cloned().unwrap_or_default();
        }
    }
    for list in ["configReferences", "defaultConfigReferences"] {
        spell_out(status.get_mut(list));
    }
    let progressions = status.get_mut("installProgressions").and_then(Value::as_array_mut);
    progressions.into_iter().flatten().for_each(|progression| spell_out(progression.get_mut("configReferences")));
    let namespace = metadata.namespace.as_deref().unwrap_or_default();
    let name = metadata.name.as_deref().unwrap_or_default();
    let key = ObjectKey::new(key::ADDON_GROUP, kind.kind, namespace, name);
    let precondition = tidegate_api::precondition::precondition(metadata);
    Some(Write::PatchStatus { key, precondition, status: status.into() })
}

fn spell_out(references: Option<&mut Value>) {
    for reference in references.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(config) = reference.get_mut("desiredConfig").and_then(Value::as_object_mut) {
            config.entry("specHash").or_insert_with(|| json!(""));
        }
    }
}
