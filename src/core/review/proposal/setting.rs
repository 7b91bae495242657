//! The settings of an add-on that change: placements, strategies and configurations.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::document::SettingChange;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_model::digest::short;
use tidegate_model::name::NamespacedName;
use tidegate_repository::{Repository, SETTINGS_FILE, Settings, Unit};

/// Returns the settings that differ between the base and the head, in the order of their names.
pub(super) fn changes(base: Option<(&Repository, &Unit)>, head: Option<(&Repository, &Unit)>) -> Vec<SettingChange> {
    let settings =
        |side: Option<(&Repository, &Unit)>| side.map(|(all, addon)| settings(all, addon)).unwrap_or_default();
    let (base, head) = (settings(base), settings(head));
    let is_new_or_gone = base.is_empty() || head.is_empty();
    let keys: std::collections::BTreeSet<_> = base.keys().chain(head.keys()).collect();
    let changed = keys.into_iter().filter(|key| base.get(*key) != head.get(*key));
    // The settings of the repository do not come and go with an add-on.
    let changed = changed.filter(|key| !(is_new_or_gone && key.0 == SETTINGS_FILE));
    let change = |key: &(String, String)| SettingChange {
        of: key.0.clone(),
        field: key.1.clone(),
        from: base.get(key).cloned(),
        to: head.get(key).cloned(),
    };
    changed.map(change).collect()
}

type Found = BTreeMap<(String, String), String>;

fn settings(repository: &Repository, addon: &Unit) -> Found {
    let mut found = Found::new();
    leaves(&mut found, SETTINGS_FILE, "", &rollout_settings(&repository.settings));
    let of_all = if addon.addon_name().is_some() { "add-on" } else { "application" };
    configurations(&mut found, of_all, addon.defaults(), addon);
    for (place, entry) in addon.parts().iter().enumerate() {
        let name = entry.reference();
        let of = format!("placement {name}");
        found.insert((of.clone(), "position".to_owned()), (place + 1).to_string());
        configurations(&mut found, &of, &entry.configs, addon);
        leaves(&mut found, &of, "rolloutStrategy", &json!(entry.rollout_strategy));
        if let Some(placement) = repository.placements.get(&name) {
            leaves(&mut found, &of, "", &json!(placement.spec));
        }
    }
    for (cluster, own) in &addon.overrides {
        configurations(&mut found, &format!("cluster {cluster}"), &own.spec.configs, addon);
    }
    found
}

/// Returns the settings of the repository that change rollouts.
fn rollout_settings(settings: &Settings) -> Value {
    let (rules, prune) = (settings.rules(), &settings.prune);
    json!({
        "semantics": rules.engine,
        "soak_dip": rules.soak_dip,
        "prune": {
            "enabled": prune.enabled,
            "confirm": prune.confirm,
            "wait_for_installs": prune.wait_for_installs,
            "max_percent": prune.max_percent,
            "max_clusters": prune.max_clusters,
            "settle_seconds": prune.settle_seconds,
        },
    })
}

/// Adds the configurations of one layer, each kind with the name of its object and the first digits of its hash.
fn configurations(found: &mut Found, of: &str, references: &[ConfigReference], addon: &Unit) {
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for reference in references.iter().filter(|reference| !reference.name.is_empty()) {
        let name = NamespacedName::new(&reference.namespace, &reference.name);
        let hash = addon.spec_hash(reference);
        let hash = short(&hash);
        kinds.entry(&reference.resource).or_default().push(format!("{name} ({hash})"));
    }
    for (kind, names) in kinds {
        let kind = if addon.addon_name().is_some() { kind } else { "content" };
        found.insert((of.to_owned(), kind.to_owned()), names.join(", "));
    }
}

/// Adds every scalar of a value, under its path.
fn leaves(found: &mut Found, of: &str, path: &str, value: &Value) {
    let below = |member: &str| if path.is_empty() { member.to_owned() } else { format!("{path}.{member}") };
    match value {
        Value::Null => {}
        Value::Object(members) => members.iter().for_each(|(member, value)| leaves(found, of, &below(member), value)),
        // An element of a list has no name of its own, so the list is one value.
        Value::Array(items) if items.is_empty() => {}
        Value::String(text) => drop(found.insert((of.to_owned(), path.to_owned()), text.clone())),
        other => drop(found.insert((of.to_owned(), path.to_owned()), other.to_string())),
    }
}
