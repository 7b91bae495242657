//! What is wrong with a rollout strategy that its schema accepts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::complaint::Complaint;
use super::declared::{Declared, is_addon_kind, part};
use super::near;
use crate::api::key;
use crate::api::schema::check::Path;
use crate::model::object::ObjectKey;
use crate::model::time::parse_go_duration;

type Objects = BTreeMap<ObjectKey, Declared>;

/// Returns what is wrong with the rollout strategies of all add-ons, beyond what their schema says.
pub(super) fn complaints(objects: &Objects) -> Vec<Complaint> {
    let addons = objects.iter().filter(|(key, _)| is_addon_kind(key, "ClusterManagementAddOn"));
    addons.flat_map(|(key, declared)| placements(objects, key, declared)).collect()
}

fn placements(objects: &Objects, key: &ObjectKey, declared: &Declared) -> Vec<Complaint> {
    let list = ["spec", "installStrategy", "placements"].iter().fold(Path::default(), |path, name| path.member(name));
    let placements = part(&declared.defaulted, &list).and_then(Value::as_array).into_iter().flatten();
    let mut found = Vec::new();
    for (index, placement) in placements.enumerate() {
        let text = |name: &str| placement.get(name).and_then(Value::as_str).unwrap_or("");
        let named = ObjectKey::new(key::CLUSTER_GROUP, "Placement", text("namespace"), text("name"));
        let at = list.item(index).member("rolloutStrategy");
        let chosen = part(&declared.defaulted, &at.member("type")).and_then(Value::as_str).unwrap_or("All");
        for (type_, member) in
            [("All", "all"), ("Progressive", "progressive"), ("ProgressivePerGroup", "progressivePerGroup")]
        {
            let check = Check { key, declared, at: at.member(member), placement: objects.get(&named) };
            let Some(settings) = part(&declared.defaulted, &check.at) else { continue };
            if type_ == chosen {
                found.extend(check.durations(settings));
                found.extend(check.thresholds(settings));
                found.extend(check.mandatory(settings));
                found.extend(check.silence(settings));
            } else if matches!(chosen, "All" | "Progressive" | "ProgressivePerGroup") {
                let message =
                    format!("{} is not looked at, since the type is {chosen}; remove it or change the type", check.at);
                found.push(Complaint::warning(declared.place_of(&check.at), message, Some(key)));
            }
        }
    }
    found
}

struct Check<'a> {
    key: &'a ObjectKey,
    declared: &'a Declared,
    at: Path,
    placement: Option<&'a Declared>,
}

impl Check<'_> {
    fn error(&self, path: &Path, message: String) -> Complaint {
        Complaint::error(self.declared.place_of(path), message, Some(self.key))
    }

    fn durations(&self, settings: &Value) -> Vec<Complaint> {
        let wrong = ["minSuccessTime", "progressDeadline"].into_iter().filter_map(|name| {
            let text = settings.get(name)?.as_str()?;
            if (name == "progressDeadline" && (text == "None" || text.is_empty())) || text.is_empty() {
                return None;
            }
            let path = self.at.member(name);
            match parse_go_duration(text) {
                Err(error) => Some(self.error(&path, format!("{path}: {error}"))),
                Ok(span) if span.is_negative() => {
                    Some(self.error(&path, format!("{path} is negative; write a span such as 5m")))
                }
                Ok(_) => None,
            }
        });
        wrong.collect()
    }

    /// The engine takes a text only as a per cent, although the schema lets a number in quotes pass.
    fn thresholds(&self, settings: &Value) -> Vec<Complaint> {
        let wrong = ["maxConcurrency", "maxFailures"].into_iter().filter_map(|name| {
            let text = settings.get(name)?.as_str()?;
            let path = self.at.member(name);
            (!text.ends_with('%')).then(|| {
                self.error(&path, format!("{path} is {text:?}; write {text} without quotes, or a per cent such as 25%"))
            })
        });
        wrong.collect()
    }

    fn mandatory(&self, settings: &Value) -> Vec<Complaint> {
        let Some(placement) = self.placement else { return Vec::new() };
        let groups = placement.defaulted.pointer("/spec/decisionStrategy/groupStrategy/decisionGroups");
        let names: Vec<&str> = groups
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|g| g.get("groupName")?.as_str())
            .collect();
        let list = self.at.member("mandatoryDecisionGroups");
        let wanted = settings.get("mandatoryDecisionGroups").and_then(Value::as_array).into_iter().flatten();
        let wrong = wanted.enumerate().filter_map(|(index, group)| {
            let name = group.get("groupName").and_then(Value::as_str).filter(|name| !name.is_empty())?;
            let path = list.item(index).member("groupName");
            let what = ObjectKey::of(&placement.object)?;
            (!names.contains(&name)).then(|| {
                let hint = near::hint(name, names.iter().copied());
                let known = if names.is_empty() { "; it defines none".to_owned() } else { hint };
                self.error(&path, format!("{what} defines no decision group {name:?}{known}"))
            })
        });
        wrong.collect()
    }

    fn silence(&self, settings: &Value) -> Option<Complaint> {
        let is_set = |value: &Value| {
            value.as_i64().is_some_and(|n| n > 0) || value.as_str().is_some_and(|text| !matches!(text, "0" | "0%"))
        };
        let has_deadline = settings
            .get("progressDeadline")
            .and_then(Value::as_str)
            .is_some_and(|text| text != "None" && !text.is_empty());
        let counts = settings.get("maxFailures").is_some_and(is_set);
        let path = self.at.member("maxFailures");
        let message =
            format!("{path} counts nothing without progressDeadline: a cluster fails by taking too long; add one");
        (counts && !has_deadline).then(|| Complaint::warning(self.declared.place_of(&path), message, Some(self.key)))
    }
}
