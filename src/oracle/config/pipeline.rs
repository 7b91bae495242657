//! A whole rollout: all controllers of an add-on, tick by tick, while the clusters follow their scripts.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Map, Value, json};

use super::case::Case;
use super::pass::{Outcome, passed};
use super::script::{Change, Deed, Script};
use super::tell::hashes;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::{InstallConfigReference, InstallProgression};
use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::hash::{Found, Lookup, fill_addon, fill_cluster_addon};
use tidegate_delivery::status::install;
use tidegate_model::time::{GoDuration, SignedDuration, Timestamp, parse_go_duration};

/// The maximum number of ticks of a case: the answer to more would only fill memory.
const MOST_TICKS: u32 = 10_000;

/// The kinds of configuration that have hashes in these cases, as resource and group.
const SUPPORTED: [(&str, &str); 4] = [
    (key::ADDON_TEMPLATES, key::ADDON_GROUP),
    (key::ADDON_DEPLOYMENT_CONFIGS, key::ADDON_GROUP),
    ("configmaps", ""),
    ("foos", "example.com"),
];

/// What happens in the course of a rollout.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Course {
    config_objects: Vec<ConfigObject>,
    config_update: Option<ConfigUpdate>,
    tick: String,
    ticks: u32,
    scripts: BTreeMap<String, Script>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ConfigUpdate {
    at_tick: u32,
    config_objects: Vec<ConfigObject>,
}

#[derive(Debug, Deserialize)]
struct ConfigObject {
    group: String,
    resource: String,
    object: Value,
}

/// The configuration objects that exist.
type Objects = BTreeMap<ConfigReference, Found>;

/// Answers a case.
pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    let mut case = Case::deserialize(input)?;
    let course = Course::deserialize(input)?;
    let step = parse_go_duration(&course.tick).map_err(serde_json::Error::custom)?;
    if course.ticks > MOST_TICKS {
        return Err(serde_json::Error::custom(format!("{} ticks exceed the maximum of {MOST_TICKS}", course.ticks)));
    }
    let mut objects = read(&course.config_objects);
    let mut changes: BTreeMap<String, Change> = BTreeMap::new();
    let (start, mut ticks) = (case.now, Vec::new());
    for tick in 0..=course.ticks {
        if let Some(update) = course.config_update.as_ref().filter(|update| update.at_tick == tick) {
            objects = read(&update.config_objects);
        }
        case.now = after(start, step, tick)?;
        let told = controllers(&mut case, &objects);
        ticks.push(told_tick(&mut case, &course, &mut changes, tick, told));
    }
    Ok(json!({ "ticks": ticks }))
}

fn after(start: Timestamp, step: SignedDuration, tick: u32) -> Result<Timestamp, serde_json::Error> {
    let too_late = || serde_json::Error::custom(format!("tick {tick} is beyond the range of times"));
    let span = i32::try_from(tick).ok().and_then(|tick| step.checked_mul(tick)).ok_or_else(too_late)?;
    start.checked_add(span).map_err(|_| too_late())
}

fn read(objects: &[ConfigObject]) -> Objects {
    let text =
        |object: &Value, pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let known = |ConfigObject { group, resource, object }: &ConfigObject| {
        let reference = ConfigReference {
            group: group.clone(),
            resource: resource.clone(),
            namespace: text(object, "/metadata/namespace"),
            name: text(object, "/metadata/name"),
        };
        (reference, Found::of(object))
    };
    objects.iter().map(known).collect()
}

fn look_up(objects: &Objects, reference: &ConfigReference) -> Lookup {
    if !SUPPORTED.contains(&(&reference.resource, &reference.group)) {
        return Lookup::Unsupported;
    }
    objects.get(reference).cloned().map_or(Lookup::Missing, Lookup::Found)
}

/// Runs each controller once, in the order of a fresh installation, and returns errors and requeue delays.
fn controllers(case: &mut Case, objects: &Objects) -> Map<String, Value> {
    let mut told = Map::new();
    let addon = &mut case.cluster_management_addon;
    match install::compat(addon) {
        Ok(status) => addon.status = Some(status),
        Err(error) => drop(told.insert("error".to_owned(), json!(error.to_string()))),
    }
    fill_addon(addon.status.get_or_insert_default(), |reference| look_up(objects, reference));
    match passed(case) {
        Ok(Outcome { addon, cluster_addons, requeue_after }) => {
            case.cluster_management_addon.status = Some(addon);
            for (addon, status) in case.managed_cluster_addons.iter_mut().zip(cluster_addons) {
                addon.status = Some(status);
            }
            if let Some(after) = requeue_after {
                told.insert("requeueAfter".to_owned(), json!(GoDuration(after).to_string()));
            }
        }
        Err(refusal) => drop(told.insert("error".to_owned(), json!(refusal.to_string()))),
    }
    for addon in &mut case.managed_cluster_addons {
        let status = addon.status.get_or_insert_default();
        fill_cluster_addon(status, &addon.spec.configs, |reference| look_up(objects, reference));
    }
    told
}

/// Formats a tick, and lets the clusters follow their scripts.
fn told_tick(
    case: &mut Case,
    course: &Course,
    changes: &mut BTreeMap<String, Change>,
    tick: u32,
    mut told: Map<String, Value>,
) -> Value {
    let clusters: Value = case.managed_cluster_addons.iter().map(cluster).collect();
    let (mut completed, mut failed) = (Vec::new(), Vec::new());
    for addon in &mut case.managed_cluster_addons {
        let name = addon.metadata.namespace.clone().unwrap_or_default();
        let status = addon.status.get_or_insert_default();
        let change = changes.entry(name.clone()).or_default();
        change.note(status, tick, case.now);
        let deed = course.scripts.get(&name).and_then(|script| change.follow(status, *script, tick, case.now));
        match deed {
            Some(Deed::Completed) => completed.push(name),
            Some(Deed::Failed) => failed.push(name),
            None => {}
        }
    }
    let status = case.cluster_management_addon.status.as_ref();
    let progressions = status.map(|status| status.install_progressions.as_slice()).unwrap_or_default();
    told.insert("tick".to_owned(), json!(tick));
    told.insert("now".to_owned(), json!(case.now));
    told.insert("managedClusterAddOns".to_owned(), clusters);
    told.insert("installProgressions".to_owned(), progressions.iter().map(progression).collect());
    told.insert("completed".to_owned(), json!(completed));
    told.insert("failed".to_owned(), json!(failed));
    Value::Object(told)
}

fn cluster(addon: &ManagedClusterAddOn) -> Value {
    let status = addon.status.clone().unwrap_or_default();
    let configured = condition::find(&status.conditions, key::CONFIGURED).map(|c| c.status.as_str());
    json!({
        "clusterName": addon.metadata.namespace,
        "configured": configured.unwrap_or_default(),
        "desired": hashes(&status.config_references, |reference| &reference.desired_config),
        "lastApplied": hashes(&status.config_references, |reference| &reference.last_applied_config),
    })
}

fn progression(progression: &InstallProgression) -> Value {
    let progressing = condition::find(&progression.conditions, key::PROGRESSING).cloned();
    let hashes =
        |config: fn(&InstallConfigReference) -> &Option<ConfigSpecHash>| hashes(&progression.config_references, config);
    json!({
        "name": progression.name,
        "desired": hashes(|reference| &reference.desired_config),
        "lastApplied": hashes(|reference| &reference.last_applied_config),
        "lastKnownGood": hashes(|reference| &reference.last_known_good_config),
        "progressingStatus": progressing.as_ref().map(|c| c.status.as_str()).unwrap_or_default(),
        "progressingReason": progressing.as_ref().map(|c| c.reason.as_str()).unwrap_or_default(),
        "progressingMessage": progressing.as_ref().map(|c| c.message.as_str()).unwrap_or_default(),
    })
}
