//! Objects in short notation: `template/a=1` is the object `a` of kind `template` with hash `1`.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tidegate_api::condition::{Claim, Condition, set};
use tidegate_api::ocm::config_reference::{ConfigReference, ConfigSpecHash};
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;
use tidegate_delivery::status::Desired;
use tidegate_model::time::Timestamp;

pub(super) fn read<T: DeserializeOwned>(object: Value) -> T {
    serde_json::from_value(object).unwrap()
}

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// Parses one configuration; its kind is its group.
pub(super) fn one(text: &str) -> Desired {
    let (kind, object) = text.split_once('/').unwrap();
    let (name, spec_hash) = object.split_once('=').unwrap_or((object, ""));
    let reference = ConfigReference {
        group: kind.to_owned(),
        resource: "things".to_owned(),
        namespace: String::new(),
        name: name.to_owned(),
    };
    Desired { reference, spec_hash: spec_hash.to_owned() }
}

pub(super) fn desired(text: &str) -> Vec<Desired> {
    text.split_whitespace().map(one).collect()
}

pub(super) fn references(text: &str) -> Vec<ConfigReference> {
    desired(text).into_iter().map(|d| d.reference).collect()
}

/// Formats a list of configurations in the notation that [`desired`] parses.
pub(super) fn told<'a>(desired: impl IntoIterator<Item = &'a Desired>) -> String {
    let one = |d: &Desired| format!("{}/{}={}", d.reference.group, d.reference.name, d.spec_hash);
    desired.into_iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Parses entries of a cluster's status: `kind/name=desired<applied`, or `kind/?` for one without a desired object.
pub(super) fn entries(text: &str) -> Vec<AddOnConfigReference> {
    text.split_whitespace().map(entry).collect()
}

fn entry(text: &str) -> AddOnConfigReference {
    let (text, applied) = match text.split_once('<') {
        Some((text, applied)) => (text, Some(applied)),
        None => (text, None),
    };
    let Desired { reference, spec_hash } = one(text);
    let config =
        |hash: &str| ConfigSpecHash { name: reference.name.clone(), spec_hash: hash.to_owned(), ..Default::default() };
    AddOnConfigReference {
        group: reference.group.clone(),
        resource: reference.resource.clone(),
        last_observed_generation: None,
        desired_config: (reference.name != "?").then(|| config(&spec_hash)),
        last_applied_config: applied.map(config),
    }
}

/// Formats entries in the notation that [`entries`] parses.
pub(super) fn shown(entries: &[AddOnConfigReference]) -> String {
    let one = |entry: &AddOnConfigReference| {
        let desired = entry.desired_config.as_ref().map_or("?".to_owned(), |c| format!("{}={}", c.name, c.spec_hash));
        let applied = entry.last_applied_config.as_ref().map_or(String::new(), |c| format!("<{}", c.spec_hash));
        format!("{}/{desired}{applied}", entry.group)
    };
    entries.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Creates a condition that has held since the given second.
pub(super) fn condition(type_: &'static str, status: &'static str, reason: &str, second: i64) -> Condition {
    let mut conditions = Vec::new();
    set(&mut conditions, Claim::new(type_, status, reason, "m"), at(second));
    conditions.remove(0)
}

/// Creates an add-on of a cluster with these entries and conditions.
pub(super) fn cluster_addon<T: DeserializeOwned>(entries: &[AddOnConfigReference], conditions: &[Condition]) -> T {
    read(json!({
        "metadata": { "name": "hello", "namespace": "east" },
        "spec": {},
        "status": { "configReferences": entries, "conditions": conditions },
    }))
}
