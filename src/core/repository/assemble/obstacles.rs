//! What makes it unsafe to go back from one version of an add-on to another: data on the clusters would be lost, or the old version could not
//! be applied.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::unit::Unit;
use tidegate_go::quantity::Quantity;
use tidegate_model::object::ObjectKey;

/// The manifests of an add-on.
type Manifests<'a> = BTreeMap<ObjectKey, &'a Value>;

/// Returns why an add-on cannot safely go back from `new` to `old`.
///
/// # Source
/// Kubernetes: a CustomResourceDefinition cannot drop a version that is in `status.storedVersions`, and deleting one deletes all its
/// objects; the size of a volume claim cannot be reduced.
pub(super) fn obstacles(new: &Unit, old: &Unit) -> Vec<String> {
    let (new, old) = (manifests(new), manifests(old));
    let mut found = Vec::new();
    for (key, now) in &new {
        let before = old.get(key).copied();
        match key.kind.as_str() {
            "CustomResourceDefinition" => found.extend(definition(&key.name, now, before)),
            "PersistentVolumeClaim" => {
                found.extend(
                    before.and_then(|before| smaller(&format!("PersistentVolumeClaim {}", key.name), now, before)),
                );
            }
            "StatefulSet" => found.extend(before.into_iter().flat_map(|before| claims(&key.name, now, before))),
            _ => {}
        }
    }
    found
}

fn manifests(addon: &Unit) -> Manifests<'_> {
    let objects = addon.configurations.values().map(|configuration| &configuration.object);
    let manifests = objects.filter_map(|object| object.pointer("/spec/agentSpec/workload/manifests")?.as_array());
    manifests.flatten().filter_map(|manifest| Some((ObjectKey::of(manifest)?, manifest))).collect()
}

fn definition(name: &str, now: &Value, before: Option<&Value>) -> Vec<String> {
    let Some(before) = before else {
        return vec![format!("CustomResourceDefinition {name} would be deleted, and with it all its objects")];
    };
    let versions = |definition: &Value| -> Vec<(String, bool)> {
        let versions = definition.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
        let version = |version: &Value| {
            let stores = version.get("storage").and_then(Value::as_bool).unwrap_or_default();
            Some((version.get("name")?.as_str()?.to_owned(), stores))
        };
        versions.filter_map(version).collect()
    };
    let known = versions(before);
    let lost = versions(now).into_iter().filter(|(version, _)| known.iter().all(|(known, _)| known != version));
    lost.map(|(version, stores)| {
        let objects = if stores { "in which objects are stored" } else { "which clients may use" };
        format!("CustomResourceDefinition {name} would lose version {version}, {objects}")
    })
    .collect()
}

/// Returns why a claim cannot go back, if it would have to become smaller.
fn smaller(what: &str, now: &Value, before: &Value) -> Option<String> {
    let size = |claim: &Value| -> Option<(String, Quantity)> {
        let written = claim.pointer("/spec/resources/requests/storage")?;
        let text = written.as_str().map_or_else(|| written.to_string(), str::to_owned);
        let quantity = text.parse().ok()?;
        Some((text, quantity))
    };
    let ((now, is), (before, was)) = (size(now)?, size(before)?);
    was.compare(&is).is_lt().then(|| format!("{what} cannot shrink from {now} to {before}"))
}

fn claims(name: &str, now: &Value, before: &Value) -> Vec<String> {
    let claims = |set: &Value| -> BTreeMap<String, Value> {
        let claims = set.pointer("/spec/volumeClaimTemplates").and_then(Value::as_array).into_iter().flatten();
        let named = |claim: &Value| Some((claim.pointer("/metadata/name")?.as_str()?.to_owned(), claim.clone()));
        claims.filter_map(named).collect()
    };
    let known = claims(before);
    let pairs = claims(now).into_iter().filter_map(|(claim, now)| Some((known.get(&claim)?.clone(), claim, now)));
    pairs
        .filter_map(|(before, claim, now)| smaller(&format!("volume {claim} of StatefulSet {name}"), &now, &before))
        .collect()
}
