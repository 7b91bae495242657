//! Whether the report of a cluster shows that an object meets its conditions.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{FieldValue, ManifestCondition, ManifestResourceMeta, ManifestWork};
use tidegate_model::object::ObjectKey;

use super::object;
use super::values::{number, observed, text, values};
use crate::condition::ready_when::ReadyWhen;
use crate::works::feedback::{GENERATION, UID};
use crate::works::manifest_config::identifier;

/// Most bytes of a list or a map that an agent reports.
///
/// # Source
/// OCM, the limit of `jsonRaw`.
const LONGEST_RAW: usize = 1_024;

/// Returns why a report does not show that an object meets its conditions in its current generation.
pub(super) fn doubt(ready_when: &ReadyWhen, what: &str, report: &ManifestCondition) -> Option<String> {
    let unreadable =
        |name: &str| Some(format!("the report of the cluster on {what} cannot be read: {name} has another type"));
    let (Ok(generation), Ok(processed)) = (number(report, &[GENERATION.0]), observed(report)) else {
        return unreadable("its generation");
    };
    if text(report, UID.0).is_none() {
        return Some(format!("the cluster does not report the fields of {what} that its conditions read"));
    }
    if let Some(generation) = generation.filter(|generation| processed.is_some_and(|processed| processed < *generation))
    {
        return Some(format!("{what} is being updated: its controller has not processed generation {generation}"));
    }
    let mut found = BTreeMap::new();
    for (name, path) in ready_when.paths() {
        let last = values(report).iter().rfind(|value| value.name == name);
        match last.map(|last| reported(&last.field_value)) {
            Some(None) => return unreadable(path),
            Some(Some(value)) => drop(found.insert(name, value)),
            None => {}
        }
    }
    ready_when.unmet(&found).map(|why| format!("{what} is not ready: {why}"))
}

/// Returns a value that an agent reports; `None` if it does not have the type that it says.
fn reported(value: &FieldValue) -> Option<Value> {
    let FieldValue { type_, integer, string, boolean, json_raw } = value;
    match (type_.as_str(), integer, string, boolean, json_raw) {
        ("Integer", Some(integer), None, None, None) => Some(json!(integer)),
        ("String", None, Some(string), None, None) => Some(json!(string)),
        ("Boolean", None, None, Some(boolean), None) => Some(json!(boolean)),
        ("JsonRaw", None, None, None, Some(raw)) if raw.len() <= LONGEST_RAW => serde_json::from_str(raw).ok(),
        _ => None,
    }
}

/// Returns the conditions of a reported object of an application; `None` if it has none that can be judged.
pub(super) fn conditions_in(work: &ManifestWork, meta: &ManifestResourceMeta) -> Option<ReadyWhen> {
    work.metadata.annotations.as_ref()?.get(key::UNIT)?;
    let manifests = work.spec.workload.iter().flat_map(|workload| &workload.manifests);
    let mut marked = manifests.filter(|manifest| manifest.contains(key::READY_WHEN)).map(|manifest| manifest.value());
    let wanted = object::identifier(meta);
    let manifest = marked.find(|manifest| ObjectKey::of(manifest).is_some_and(|key| identifier(&key) == wanted))?;
    ReadyWhen::of(&manifest)?.ok()
}
