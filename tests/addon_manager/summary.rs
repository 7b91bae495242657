//! What matters in the events of a run: the works that are written, the states that a status shows, and how it ends.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::watched::text;

/// Replaces hashes by numbers in the order in which they appear, so that runs with other templates can be compared.
#[derive(Default)]
pub(super) struct Hashes(Vec<String>);

impl Hashes {
    /// Replaces the hashes in an event.
    pub(super) fn replace(&mut self, event: &mut Value) {
        self.learn(event);
        let mut json = event.to_string();
        for (index, hash) in self.0.iter().enumerate() {
            json = json.replace(hash, &format!("hash-{}", index + 1));
        }
        *event = serde_json::from_str(&json).unwrap();
    }

    fn learn(&mut self, value: &Value) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, value)| match value {
                Value::String(hash) if name == "specHash" && !hash.is_empty() && !self.0.contains(hash) => {
                    self.0.push(hash.clone());
                }
                value => self.learn(value),
            }),
            Value::Array(list) => list.iter().for_each(|value| self.learn(value)),
            _ => {}
        }
    }
}

/// What happened in a step.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Step {
    /// For each add-on, and each add-on on a cluster, the works that were written and the states of the status, in order.
    pub(super) sequences: BTreeMap<String, Vec<String>>,
    /// The last version of each object that changed; `null` if it was deleted.
    pub(super) last: BTreeMap<String, Value>,
}

/// Summarizes a step. `generations` holds the generations of the works so far.
pub(super) fn step(events: &[Value], generations: &mut BTreeMap<String, i64>) -> Step {
    let mut step = Step::default();
    for event in events {
        let place = text(&event["namespace"]).to_owned();
        let is_deleted = event["event"] == "DELETED";
        let state = match text(&event["kind"]) {
            "ManifestWork" => work(event, &place, generations),
            "ManagedClusterAddOn" => cluster_addon(event),
            _ => addon(event),
        };
        let states = step.sequences.entry(place.clone()).or_default();
        if let Some(state) = state.filter(|state| last_status(states) != Some(state)) {
            states.push(state);
        }
        let object = format!("{} {place}", text(&event["kind"]));
        step.last.insert(object, if is_deleted { Value::Null } else { normal(event) });
    }
    step
}

/// Returns the last state that is not about a work.
fn last_status(states: &[String]) -> Option<&String> {
    states.iter().rev().find(|state| !state.starts_with("work"))
}

fn work(event: &Value, place: &str, generations: &mut BTreeMap<String, i64>) -> Option<String> {
    let generation = event["generation"].as_i64().unwrap();
    let before = generations.insert(place.to_owned(), generation);
    match text(&event["event"]) {
        "DELETED" => {
            generations.remove(place);
            Some("work deleted".to_owned())
        }
        "MODIFIED" if before == Some(generation) => None,
        _ => {
            let hashes = &event["annotations"]["open-cluster-management.io/config-spec-hash"];
            Some(format!("work {} {} from {}", event["images"], event["kinds"], text(hashes)))
        }
    }
}

/// Describes the configurations of a cluster and its progress. Before the first progress, and while works are not ready, upstream's
/// controllers race with one another and with the agents, so these reasons are left out.
fn cluster_addon(event: &Value) -> Option<String> {
    if event["event"] == "DELETED" {
        return Some("deleted".to_owned());
    }
    let references = event["status"]["configReferences"].as_array().cloned().unwrap_or_default();
    let config = |config: &Value| match text(&config["name"]) {
        "" => "nothing".to_owned(),
        name => format!("{name}@{}", text(&config["specHash"])),
    };
    let reference =
        |r: &Value| format!("{} (applied {})", config(&r["desiredConfig"]), config(&r["lastAppliedConfig"]));
    let references: Vec<String> = references.iter().map(reference).collect();
    let conditions = event["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let progressing = conditions.iter().find(|condition| condition["type"] == "Progressing");
    let message = progressing.map(|condition| text(&condition["message"])).unwrap_or_default();
    let reason = progressing.map(|condition| text(&condition["reason"])).unwrap_or_default();
    let progress = match reason {
        "Completed" | "Progressing" => format!("{reason}: {message}"),
        _ => String::new(),
    };
    let is_race = message.ends_with("work is not ready");
    (!is_race).then(|| format!("{} {progress}", references.join(", ")))
}

fn addon(event: &Value) -> Option<String> {
    if event["event"] == "DELETED" {
        return Some("deleted".to_owned());
    }
    let references = event["status"]["defaultconfigReferences"].as_array().cloned().unwrap_or_default();
    let reference =
        |r: &Value| format!("{}@{}", text(&r["desiredConfig"]["name"]), text(&r["desiredConfig"]["specHash"]));
    let references: Vec<String> = references.iter().map(reference).collect();
    let lifecycle = &event["annotations"]["addon.open-cluster-management.io/lifecycle"];
    Some(format!("{} {lifecycle}", references.join(", ")))
}

/// Returns an event without what differs between any two runs: the managers of the person's writes, and the order of lists that
/// upstream writes in any order.
fn normal(event: &Value) -> Value {
    let mut event = event.clone();
    let members = event.as_object_mut().unwrap();
    for field in ["step", "ms", "event"] {
        members.remove(field);
    }
    let managers = members["managers"].as_array().cloned().unwrap_or_default();
    let is_of_upstream = |manager: &Value| text(manager).starts_with("ocm-") || text(manager).starts_with("work-");
    let mut managers: Vec<String> =
        managers.iter().filter(|m| is_of_upstream(m)).map(|manager| text(manager).to_owned()).collect();
    managers.sort();
    members.insert("managers".to_owned(), json!(managers));
    if let Some(annotations) = members.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        if annotations.is_empty() {
            members.remove("annotations");
        }
    }
    // The conversion webhook adds some empty fields and removes others.
    for part in ["spec", "status"] {
        if let Some(members) = event.get_mut(part).and_then(Value::as_object_mut) {
            members.retain(|_, value| *value != json!({}) && *value != json!([]));
        }
    }
    for (list, key) in [("/status/conditions", "type"), ("/status/supportedConfigs", "resource")] {
        let list = event.pointer_mut(list).and_then(Value::as_array_mut);
        list.into_iter().for_each(|list| list.sort_by_key(|entry| text(&entry[key]).to_owned()));
    }
    event
}
