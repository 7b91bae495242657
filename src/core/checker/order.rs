//! The content that a cluster was given, with the phases of its objects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::snapshot::Snapshot;
use tidegate_api::key;
use tidegate_delivery::upstream::Record;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// The content that a cluster was given, as declared.
pub(super) struct Content {
    pub(super) hash: String,
    pub(super) objects: BTreeMap<ObjectKey, Ordered>,
    /// The last phase.
    pub(super) last: u32,
}

/// An object, as declared.
pub(super) struct Ordered {
    /// The phase of its component, or of its first batch.
    pub(super) phase: u32,
    pub(super) manifest: Value,
    /// The replicas of each batch; none if all of them are replaced at once. Each batch has a phase, beginning with the one with which the cluster
    /// started.
    sizes: Vec<i64>,
    first_batch: u32,
}

impl Content {
    /// Returns `true` if it has several phases, or would have without what the cluster left out.
    pub(super) fn is_ordered(&self) -> bool {
        self.last > 0 || self.objects.values().any(Ordered::has_batches)
    }

    /// Returns the content that a cluster was given, if it is declared.
    pub(super) fn of(unit: &UnitName, record: &Record, declaring: [&Snapshot; 2]) -> Option<Self> {
        let references = record.config_references.iter().filter_map(|reference| reference.desired_config.as_ref());
        references.into_iter().find_map(|desired| {
            let held = |snapshot: &Snapshot| snapshot.addons.get(unit)?.content(&desired.spec_hash).cloned();
            let content: Arc<Value> = declaring.into_iter().find_map(held)?;
            let manifests = content.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
            let manifests: Vec<&Value> = manifests.into_iter().flatten().collect();
            let first_batch = record.opened.first_batch;
            let levels = levels(&content, &manifests, first_batch);
            let object = |manifest: &&Value| {
                let phase = levels.get(component(manifest)).copied().unwrap_or_default();
                let ordered = Ordered { phase, manifest: (*manifest).clone(), sizes: sizes(manifest), first_batch };
                Some((ObjectKey::of(manifest)?, ordered))
            };
            let objects: BTreeMap<ObjectKey, Ordered> = manifests.iter().filter_map(object).collect();
            let last = objects.values().map(Ordered::last).chain(levels.values().copied()).max().unwrap_or_default();
            Some(Self { hash: desired.spec_hash.clone(), objects, last })
        })
    }
}

impl Ordered {
    /// Returns the phase in which the last replicas are replaced.
    pub(super) fn last(&self) -> u32 {
        self.phase + more(&self.sizes, self.first_batch)
    }

    /// Returns `true` if the object has batches.
    pub(super) fn has_batches(&self) -> bool {
        self.sizes.len() > 1
    }

    /// Returns how many replicas have to stay as they are while a phase is open; `None` if the object has no batches.
    pub(super) fn held(&self, open: u32) -> Option<i64> {
        let replicas =
            self.manifest.pointer("/spec/replicas").and_then(Value::as_i64).filter(|_| self.has_batches())?;
        let index = open.checked_sub(self.phase)?.saturating_add(self.first_batch);
        let batches = usize::try_from(index).unwrap_or(usize::MAX).saturating_add(1);
        Some(replicas - self.sizes.iter().take(batches).sum::<i64>())
    }
}

/// Returns the partition of a StatefulSet or CloneSet.
pub(super) fn partition(manifest: &Value) -> Option<i64> {
    let pointer = match manifest.get("kind").and_then(Value::as_str)? {
        "StatefulSet" => "/spec/updateStrategy/rollingUpdate/partition",
        "CloneSet" => "/spec/updateStrategy/partition",
        _ => return None,
    };
    manifest.pointer(pointer)?.as_i64()
}

/// Returns the sizes of the batches in which the replicas of an object are replaced.
pub(super) fn sizes(manifest: &Value) -> Vec<i64> {
    let annotation = || manifest.pointer("/metadata/annotations")?.get(key::BATCHES)?.as_str();
    annotation()
        .and_then(|text| serde_json::from_str(text).ok())
        .filter(|_| partition(manifest).is_some())
        .unwrap_or_default()
}

fn component(manifest: &Value) -> &str {
    let labels = manifest.pointer("/metadata/labels");
    labels.and_then(|labels| labels.get(key::COMPONENT)?.as_str()).unwrap_or_default()
}

/// Returns the number of batches after the one with which the cluster started.
fn more(sizes: &[i64], first_batch: u32) -> u32 {
    u32::try_from(sizes.len().saturating_sub(1)).unwrap_or(u32::MAX).saturating_sub(first_batch)
}

/// Returns the phases of the components that depend on others: they rise until each is above the last phases of its dependencies.
fn levels(content: &Value, manifests: &[&Value], first_batch: u32) -> BTreeMap<String, u32> {
    let mut batches: BTreeMap<&str, u32> = BTreeMap::new();
    for manifest in manifests {
        let known = batches.entry(component(manifest)).or_default();
        *known = more(&sizes(manifest), first_batch).max(*known);
    }
    let depends = content.pointer("/spec/dependsOn").and_then(Value::as_object);
    let mut levels: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..depends.map_or(0, serde_json::Map::len) {
        let mut has_risen = false;
        for (component, named) in depends.into_iter().flatten() {
            let named: BTreeSet<&str> = named.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let end = |name: &&str| {
                levels.get(*name).copied().unwrap_or_default() + batches.get(*name).copied().unwrap_or_default()
            };
            let level = named.iter().map(|name| end(name) + 1).max().unwrap_or_default();
            has_risen |= levels.insert(component.clone(), level) != Some(level);
        }
        if !has_risen {
            break;
        }
    }
    levels
}
