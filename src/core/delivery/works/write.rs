//! The writes that change a cluster's works from the observed to the wanted state.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::manifest_work::{ManifestConfigOption, ManifestWork};
use tidegate_model::action::{Precondition, Write};
use tidegate_model::json_text::JsonText;
use tidegate_model::object::ObjectKey;

use super::pack::Works;
use super::work::{Work, workload};
use crate::go_object::unstructured::same;

/// Returns the writes that turn the existing works of an add-on into the wanted ones. A work that is correct is not
/// written.
///
/// # Shape
/// Creations and patches in the order of [`Works::apply`], then deletions. A patch contains only differences.
pub fn work_writes(wanted: &Works, existing: &BTreeMap<String, Arc<ManifestWork>>) -> Vec<Write> {
    let applied = wanted.apply.iter().filter_map(|work| match existing.get(&work.name) {
        None => Some(Write::Create { object: work.object().into() }),
        Some(observed) => patch(observed, work).map(|patch| {
            let resource_version = observed.metadata.resource_version.clone();
            Write::Patch {
                key: object_key(observed),
                precondition: precondition(observed, resource_version),
                patch: patch.into(),
            }
        }),
    });
    let deleted = wanted
        .delete
        .iter()
        .filter_map(|name| existing.get(name))
        .map(|observed| Write::Delete { key: object_key(observed), precondition: precondition(observed, None) });
    applied.chain(deleted).collect()
}

/// Returns `true` if a work must be written to become the wanted one.
///
/// Defaults filled in by an API server are ignored, as are labels and annotations that someone else added to the work.
pub fn differs(observed: &ManifestWork, wanted: &Work) -> bool {
    patch(observed, wanted).is_some()
}

fn object_key(work: &ManifestWork) -> ObjectKey {
    let metadata = &work.metadata;
    let text = |member: &Option<String>| member.clone().unwrap_or_default();
    object_key::work(&text(&metadata.namespace), &text(&metadata.name))
}

fn precondition(work: &ManifestWork, resource_version: Option<String>) -> Precondition {
    Precondition { uid: work.metadata.uid.clone().unwrap_or_default(), resource_version }
}

/// Returns the merge patch, if there is anything to change.
fn patch(observed: &ManifestWork, wanted: &Work) -> Option<Value> {
    let metadata = metadata_patch(observed, wanted.frame.get("metadata").unwrap_or(&Value::Null));
    let spec = spec_patch(observed, wanted);
    let parts = [("metadata", metadata), ("spec", spec)].into_iter().filter(|(_, members)| !members.is_empty());
    let patch: Map<String, Value> = parts.map(|(name, members)| (name.to_owned(), Value::Object(members))).collect();
    (!patch.is_empty()).then_some(Value::Object(patch))
}

fn metadata_patch(observed: &ManifestWork, wanted: &Value) -> Map<String, Value> {
    let mut patch = Map::new();
    let maps = [("labels", &observed.metadata.labels), ("annotations", &observed.metadata.annotations)];
    for (member, observed) in maps {
        let changes = changed_texts(observed.as_ref(), wanted.get(member));
        if !changes.is_empty() {
            patch.insert(member.to_owned(), Value::Object(changes));
        }
    }
    let owners = wanted.get("ownerReferences").unwrap_or(&Value::Null);
    if json!(observed.metadata.owner_references) != *owners {
        patch.insert("ownerReferences".to_owned(), owners.clone());
    }
    patch
}

/// Labels and annotations that are removed from a work unless it should have them.
const OURS: [&str; 3] = [key::ADDON_NAME, key::ADDON_NAMESPACE, key::CONFIG_SPEC_HASH];

fn changed_texts(observed: Option<&BTreeMap<String, String>>, wanted: Option<&Value>) -> Map<String, Value> {
    let observed = |name: &str| observed.and_then(|texts| texts.get(name)).map(String::as_str);
    let wanted = wanted.and_then(Value::as_object);
    let set = wanted.into_iter().flatten().filter(|(name, value)| value.as_str() != observed(name));
    let set = set.map(|(name, value)| (name.clone(), value.clone()));
    let is_stale = |name: &&str| observed(name).is_some() && !wanted.is_some_and(|wanted| wanted.contains_key(*name));
    set.chain(OURS.into_iter().filter(is_stale).map(|name| (name.to_owned(), Value::Null))).collect()
}

fn spec_patch(observed: &ManifestWork, wanted: &Work) -> Map<String, Value> {
    let mut patch = Map::new();
    let manifests = observed.spec.workload.as_ref().map_or(&[][..], |workload| &workload.manifests);
    let are_same = |(observed, wanted): (&JsonText, &Arc<Value>)| same(&observed.value(), wanted);
    if manifests.len() != wanted.manifests.len() || !manifests.iter().zip(&wanted.manifests).all(are_same) {
        patch.insert("workload".to_owned(), workload(&wanted.manifests));
    }
    let wanted = wanted.frame.get("spec").unwrap_or(&Value::Null);
    let wanted_configs = wanted.get("manifestConfigs").unwrap_or(&Value::Null);
    if Some(defaulted(&observed.spec.manifest_configs)) != read_configs(wanted_configs).as_deref().map(defaulted) {
        patch.insert("manifestConfigs".to_owned(), wanted_configs.clone());
    }
    let delete_option = observed.spec.delete_option.as_ref().map_or(Value::Null, |option| json!(option));
    let wanted_option = wanted.get("deleteOption").cloned().unwrap_or(Value::Null);
    if deletion(&delete_option) != deletion(&wanted_option) {
        patch.insert("deleteOption".to_owned(), replacement(&delete_option, wanted_option));
    }
    if observed.spec.executor.is_some() {
        patch.insert("executor".to_owned(), Value::Null);
    }
    patch
}

/// Reads a list that may be missing. `None` if it cannot be read: it then differs from every list, and the hub will
/// refuse it.
fn read_configs(configs: &Value) -> Option<Vec<ManifestConfigOption>> {
    serde_json::from_value::<Option<_>>(configs.clone()).ok().map(Option::unwrap_or_default)
}

/// Fills in the defaults of an API server, and values that mean the same as leaving the field out.
fn defaulted(configs: &[ManifestConfigOption]) -> Vec<ManifestConfigOption> {
    let fill = |text: &mut String, default: &str| {
        if text.is_empty() {
            default.clone_into(text);
        }
    };
    let mut configs = configs.to_vec();
    for config in &mut configs {
        fill(&mut config.feedback_scrape_type, "Poll");
        let strategy = config.update_strategy.get_or_insert_default();
        fill(&mut strategy.type_, "Update");
        if let Some(apply) = &mut strategy.server_side_apply {
            fill(apply.field_manager.get_or_insert_default(), "work-agent");
            apply.force.get_or_insert(false);
            apply.ignore_fields.iter_mut().for_each(|field| fill(&mut field.condition, "OnSpokePresent"));
        }
    }
    configs
}

fn deletion(option: &Value) -> Map<String, Value> {
    let mut option = option.as_object().cloned().unwrap_or_default();
    option.entry("propagationPolicy").or_insert_with(|| Value::from("Foreground"));
    option
}

/// Returns the merge patch that replaces an object as a whole and removes its other fields.
fn replacement(observed: &Value, wanted: Value) -> Value {
    let Value::Object(mut wanted) = wanted else { return wanted };
    for name in observed.as_object().into_iter().flat_map(Map::keys) {
        wanted.entry(name).or_insert(Value::Null);
    }
    Value::Object(wanted)
}
