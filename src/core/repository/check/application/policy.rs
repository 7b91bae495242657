//! The policies of an application.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::schema::{conform, listed};
use super::{overrides, ownership, replication};
use crate::application::ownership::OWNERSHIP;
use crate::application::{self, OVERRIDE, PLACEMENT, REPLICATION, REVISION_ONLY, TOPOLOGY, is_candidate, placements};
use crate::check::strategy::STRATEGY_SCHEMA;
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::near::remedy;

/// The longest name of a Placement that has decisions.
const LONGEST: usize = 63;

/// The properties of a policy of type `placement`.
const KNOWN: [&str; 4] = ["name", "namespace", "rolloutStrategy", "allowEmpty"];

/// Types of policies of KubeVela that are refused, with what to write instead.
const REFUSED: [(&str, &str); 6] = [
    (
        "shared-resource",
        "two applications that deliver one object overwrite each other; keep it in one, and name that in tidegate.io/requires",
    ),
    ("resource-update", "to recreate an object, the cluster would delete it first; write it with another name"),
    ("health", "health is judged by the objects themselves, so remove the policy"),
    ("debug", "it has no effect, so remove the policy"),
    ("env-binding", "it was removed from KubeVela; write topology and override"),
    ("multi-cluster", "write topology"),
];

static TOPOLOGY_SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let labels = || json!({ "type": "object", "additionalProperties": { "type": "string" } });
    Schema::compile(&json!({
        "type": "object",
        "properties": {
            "clusters": { "type": "array", "items": { "type": "string", "minLength": 1 } },
            "clusterLabelSelector": labels(),
            "clusterSelector": labels(),
            "allowEmpty": { "type": "boolean" },
            "namespace": { "type": "string", "maxLength": 63, "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" },
        },
    }))
});

/// Adds the problems of the policies.
pub(super) fn check(notes: &mut Notes<'_>) {
    let object = notes.object;
    for (index, policy) in listed(&object.value, "/spec/policies") {
        let at = path(&["spec", "policies"]).item(index);
        let none = Value::Object(serde_json::Map::new());
        let properties = policy.get("properties").unwrap_or(&none);
        let of_properties = at.member("properties");
        match policy.get("type").and_then(Value::as_str) {
            Some(PLACEMENT) if policy.get("properties").is_none() => {
                notes.error(object.value_origin(&at), format!("{of_properties} is missing; name a Placement"));
            }
            Some(PLACEMENT) => placement(notes, &of_properties, properties),
            Some(TOPOLOGY) => topology(notes, &of_properties, properties),
            Some(OVERRIDE) => overrides::check(notes, &of_properties, properties),
            Some(REPLICATION) => replication::check(notes, &of_properties, properties),
            Some(type_) if OWNERSHIP.contains(&type_) => {
                ownership::properties(notes, type_, (&of_properties, properties))
            }
            Some(other) => unknown(notes, &at.member("type"), other),
            None => {}
        }
    }
    let mut named: BTreeMap<NamespacedName, Path> = BTreeMap::new();
    for (at, name, _) in placements(&object.value) {
        // OCM writes the name into the label of each PlacementDecision.
        if name.name.len() > LONGEST {
            let message = format!(
                "{at} makes Placement {}, whose name has more than {LONGEST} characters; shorten the name of the policy, the cluster or the application",
                name.name
            );
            notes.error(object.value_origin(&at), message);
        }
        match named.get(&name) {
            Some(first) => {
                let message = format!("{at} names Placement {name} again, like {first}; keep one of the two policies");
                notes.error(object.value_origin(&at), message);
            }
            None => drop(named.insert(name, at)),
        }
    }
    let type_ = |policy: &'_ Value| policy.get("type").and_then(Value::as_str).map(str::to_owned);
    let selects = |policy: &Value| {
        type_(policy).is_none_or(|type_| ![OVERRIDE, REPLICATION].contains(&&*type_) && !OWNERSHIP.contains(&&*type_))
    };
    let dispatches = !application::dispatch::steps(&object.value).is_empty();
    if !is_candidate(object)
        && !dispatches
        && !listed(&object.value, "/spec/policies").any(|(_, policy)| selects(policy))
    {
        let message = format!(
            "the application selects no clusters; add a policy of type {TOPOLOGY} or {PLACEMENT}, or the annotation {REVISION_ONLY}: \"true\""
        );
        notes.error(object.origin_of(&["spec"]), message);
    }
}

fn unknown(notes: &mut Notes<'_>, at: &Path, type_: &str) {
    let refused = REFUSED.iter().find(|(name, _)| *name == type_).map(|(_, instead)| *instead);
    let known = [PLACEMENT, TOPOLOGY, OVERRIDE, REPLICATION].into_iter().chain(OWNERSHIP);
    let message = match refused {
        Some(instead) => format!("{at} is {type_:?}, which is not supported: {instead}"),
        None => format!("{at} is {type_:?}, which is not a known policy type; {}", remedy(type_, known)),
    };
    notes.error(notes.object.value_origin(at), message);
}

fn topology(notes: &mut Notes<'_>, at: &Path, properties: &Value) {
    let object = notes.object;
    conform(notes, (at, properties), &TOPOLOGY_SCHEMA);
    let given = |member: &str| properties.get(member).is_some_and(|value| !is_empty(value));
    let (clusters, labels) = ("clusters", "clusterLabelSelector");
    let old = "clusterSelector";
    if given(old) && given(labels) {
        let at = at.member(old);
        notes.error(object.key_origin(&at), format!("{at} is the old name of {labels}; keep one of the two"));
    }
    let by_label = given(labels) || given(old);
    if given(clusters) && by_label {
        let at = at.member(clusters);
        notes.error(object.key_origin(&at), format!("{at} and {labels} exclude each other; write two policies"));
    }
    if !given(clusters) && !by_label {
        let message = format!("{at} selects no clusters; name them in {clusters}, or their labels in {labels}");
        notes.error(object.value_origin(at), message);
    }
    let mut seen = BTreeSet::new();
    for (index, name) in listed(properties, "/clusters") {
        let at = at.member(clusters).item(index);
        let Some(name) = name.as_str().filter(|name| !name.is_empty()) else { continue };
        if let Err(invalid) = name.parse::<ClusterName>() {
            notes.error(object.value_origin(&at), format!("{at} is not the name of a cluster: {invalid}"));
        }
        if !seen.insert(name) {
            notes.error(object.value_origin(&at), format!("{at} is {name}, which is in the list already; remove it"));
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(serde_json::Map::is_empty)
}

fn placement(notes: &mut Notes<'_>, at: &Path, properties: &Value) {
    let strategy = at.member("rolloutStrategy");
    for member in properties.as_object().into_iter().flatten().map(|(name, _)| name.as_str()) {
        if !KNOWN.contains(&member) {
            let at = at.member(member);
            notes.error(notes.object.key_origin(&at), format!("{at} is not known; {}", remedy(member, KNOWN)));
        }
    }
    if properties.get("allowEmpty").is_some_and(|given| !given.is_boolean()) {
        let at = at.member("allowEmpty");
        notes.error(notes.object.value_origin(&at), format!("{at} must be true or false"));
    }
    for (member, is_required) in [("name", true), ("namespace", false)] {
        let is_text = properties.get(member).is_some_and(|value| value.as_str().is_some_and(|text| !text.is_empty()));
        if !is_text && (is_required || properties.get(member).is_some()) {
            let message = format!("{} must be the {member} of a Placement, as a string", at.member(member));
            notes.error(notes.object.value_origin(&at.member(member)), message);
        }
    }
    if let Some((given, schema)) = properties.get("rolloutStrategy").zip(*STRATEGY_SCHEMA) {
        conform(notes, (&strategy, given), schema);
    }
}
