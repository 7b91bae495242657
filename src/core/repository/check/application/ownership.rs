//! The policies of an application that say how its objects are applied and kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::rendered::has_errors;
use super::schema::{conform, listed};
use super::selection;
use crate::application::ownership::{
    ALL_FIELDS, APPLY_ONCE, Applying, GARBAGE_COLLECT, ON_STATE_KEEP, OWNERSHIP, READ_ONLY, REPLICAS, TAKE_OVER,
    appliers,
};
use crate::application::{self, Parsed, Rendered};
use crate::definition::Definitions;
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_delivery::scaled;
use tidegate_model::object::ObjectKey;

/// Most objects that a message names.
const NAMED: usize = 5;

/// The schemas of the properties.
static SCHEMAS: LazyLock<BTreeMap<&str, Schema>> = LazyLock::new(|| {
    let any = || json!({ "x-kubernetes-preserve-unknown-fields": true });
    let flag = || json!({ "type": "boolean" });
    let texts = || json!({ "type": "array", "items": { "type": "string", "minLength": 1 } });
    let one_of = |words: &[&str]| json!({ "type": "string", "enum": words });
    let selector = || {
        let oam = json!({ "type": "array", "items": one_of(&["WORKLOAD", "TRAIT"]) });
        json!({ "type": "object", "properties": {
            "componentNames": texts(), "componentTypes": texts(), "oamTypes": oam, "traitTypes": texts(),
            "resourceTypes": texts(), "resourceNames": texts(),
        } })
    };
    let rules = |required: &[&str], mut own: Value| {
        own["selector"] = selector();
        let rule = json!({ "type": "object", "required": required, "properties": own });
        json!({ "type": "array", "minItems": 1, "items": rule })
    };
    let once = json!({
        "type": "object", "required": ["path"],
        "properties": { "path": { "type": "array", "minItems": 1, "items": texts()["items"] }, "affect": one_of(&["always", ON_STATE_KEEP, "onUpdate"]) },
    });
    let fate = json!({ "strategy": one_of(&["never", "onAppDelete", "onAppUpdate"]), "propagation": any() });
    let selecting = || json!({ "rules": rules(&["selector"], json!({})) });
    let properties = [
        (
            APPLY_ONCE,
            json!({ "enable": flag(), "rules": rules(&["selector", "strategy"], json!({ "strategy": once })) }),
        ),
        (
            GARBAGE_COLLECT,
            json!({
                "rules": rules(&["selector", "strategy"], fate), "keepLegacyResource": flag(), "continueOnFailure": any(),
                "applicationRevisionLimit": any(), "order": any(),
            }),
        ),
        (READ_ONLY, selecting()),
        (TAKE_OVER, selecting()),
    ];
    let compiled = properties.map(|(type_, properties)| {
        let required: &[&str] = if [READ_ONLY, TAKE_OVER].contains(&type_) { &["rules"] } else { &[] };
        let schema = json!({ "type": "object", "required": required, "properties": properties });
        (type_, Schema::compile(&schema))
    });
    BTreeMap::from(compiled)
});

/// Adds the problems of the properties of a policy.
pub(super) fn properties(notes: &mut Notes<'_>, type_: &str, (at, given): (&Path, &Value)) {
    let before = notes.complaints.len();
    if let Some(schema) = SCHEMAS.get(type_) {
        conform(notes, (at, given), schema);
    }
    if notes.complaints.len() > before {
        return;
    }
    match type_ {
        APPLY_ONCE => apply_once(notes, at, given),
        GARBAGE_COLLECT => garbage_collect(notes, at, given),
        _ => {}
    }
}

fn apply_once(notes: &mut Notes<'_>, at: &Path, given: &Value) {
    if given.get("enable") != Some(&Value::Bool(true)) {
        let message = format!("{at} has no effect without enable: true; add it, or remove the policy");
        notes.error(notes.object.value_origin(at), message);
    }
    for (index, rule) in listed(given, "/rules") {
        let at = at.member("rules").item(index).member("strategy");
        let affect = rule.pointer("/strategy/affect").and_then(Value::as_str).unwrap_or("always");
        if affect == "onUpdate" {
            let at = at.member("affect");
            let message = format!(
                "{at} is onUpdate, which is not supported: the agent does not correct a field that it does not apply; write {ON_STATE_KEEP} or always"
            );
            notes.error(notes.object.value_origin(&at), message);
        }
        let paths: Vec<&str> = listed(rule, "/strategy/path").filter_map(|(_, path)| path.as_str()).collect();
        for (index, path) in paths.iter().enumerate() {
            let at = at.member("path").item(index);
            let why = if affect == ON_STATE_KEEP {
                path.contains(['"', '\'', '*'])
                    .then_some("which is not a path; write fields with dots, and indexes in brackets")
                    .filter(|_| *path != ALL_FIELDS)
            } else {
                let is_possible = paths.len() == 1 && [ALL_FIELDS, REPLICAS].contains(path);
                (!is_possible).then_some(
                    "but a field that is not applied any more is removed unless something else owns it; write affect: onStateKeep, or only \
                     \"*\" or only spec.replicas",
                )
            };
            if let Some(why) = why {
                notes.error(notes.object.value_origin(&at), format!("{at} is {path:?}, {why}"));
            }
        }
    }
}

/// Fields of a `garbage-collect` that are known and refused.
const REFUSED: [(&str, &str); 4] = [
    (
        "keepLegacyResource",
        "is not supported; write a rule with strategy never for the objects that stay instead of it",
    ),
    ("order", "is not supported: the objects of a cluster are deleted at once; remove it"),
    ("continueOnFailure", "has no effect; remove it"),
    ("applicationRevisionLimit", "has no effect, since revisions are files; remove it"),
];

fn garbage_collect(notes: &mut Notes<'_>, at: &Path, given: &Value) {
    let is_given = |member: &str| given.get(member).is_some_and(|value| *value != Value::Bool(false));
    for (member, why) in REFUSED.into_iter().filter(|(member, _)| is_given(member)) {
        let at = at.member(member);
        notes.error(notes.object.key_origin(&at), format!("{at} {why}"));
    }
    if given.get("rules").is_none() {
        let message = format!("{at} has no rules, so that it has no effect; add some, or remove the policy");
        notes.error(notes.object.value_origin(at), message);
    }
    for (index, rule) in listed(given, "/rules") {
        let at = at.member("rules").item(index);
        if rule.get("propagation").is_some() {
            let at = at.member("propagation");
            notes.error(notes.object.key_origin(&at), format!("{at} is not supported; remove it"));
        }
        let types = at.member("selector").member("resourceTypes");
        for (index, _) in listed(rule, "/selector/resourceTypes").filter(|(_, type_)| *type_ == "Namespace") {
            let at = types.item(index);
            let message = format!(
                "{at} is Namespace, but a namespace is deleted with the objects of everyone in it; write strategy: never, or take Namespace out of the list and delete the namespace by hand"
            );
            if rule.get("strategy").is_some_and(|strategy| strategy != "never") {
                notes.error(notes.object.value_origin(&at), message);
            }
        }
        if rule.get("strategy").is_some_and(|strategy| strategy == "onAppDelete") {
            let at = at.member("strategy");
            let message = format!(
                "{at} is onAppDelete, which is not supported: an object that leaves the application is deleted, or stays; write onAppUpdate or never"
            );
            notes.error(notes.object.value_origin(&at), message);
        }
    }
}

/// Adds the problems of what the policies select: nothing, an object for which two of them say how it is applied, or a workload that cannot be taken
/// over.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    let types = || listed(&notes.object.value, "/spec/policies").filter_map(|(_, policy)| policy.get("type")?.as_str());
    if has_errors(notes) || !types().any(|type_| OWNERSHIP.contains(&type_)) {
        return;
    }
    let Ok(parsed) = Parsed::read(&notes.object.value) else { return };
    let deployments = application::rendered(notes.object, definitions);
    let objects: Vec<&Rendered> = deployments.iter().flatten().collect();
    let policies = path(&["spec", "policies"]);
    for index in 0..parsed.policies.len() {
        selection::check(notes, (index, &parsed), &objects);
    }
    let mut twice: BTreeSet<(usize, usize)> = BTreeSet::new();
    for rendered in &objects {
        if let [first, second, ..] = appliers(&parsed.policies, rendered)[..]
            && twice.insert((first, second))
        {
            let (at, first) = (policies.item(second), policies.item(first));
            let message = format!(
                "{at} says how {} is applied, and so does {first}; select the object in one of the two",
                rendered.named()
            );
            notes.error(notes.object.value_origin(&at), message);
        }
    }
    for deployment in &deployments {
        autoscaled(notes, deployment);
    }
    never_done(notes, &objects);
    taken_over(notes, &objects);
}

/// Adds a complaint about a workload that is taken over, and scaled by an autoscaler.
fn autoscaled(notes: &mut Notes<'_>, objects: &[Rendered]) {
    let scaled = scaled(objects.iter().map(|rendered| &rendered.object));
    let is_scaled = |rendered: &&Rendered| ObjectKey::of(&rendered.object).is_some_and(|key| scaled.contains(&key));
    let taken = objects.iter().filter(|rendered| rendered.applying == Applying::TakeOver);
    for rendered in taken.filter(is_scaled) {
        let message = format!(
            "{} is taken over from other field managers, and so from its autoscaler; remove the autoscaler, or deliver it after the cluster has taken \
             the workload over without {TAKE_OVER}",
            rendered.named()
        );
        if !has_errors(notes) {
            notes.error(notes.object.value_origin(&rendered.at), message);
        }
    }
}

/// Adds a complaint about a Rollout that is created once: the next version would never be done.
fn never_done(notes: &mut Notes<'_>, objects: &[&Rendered]) {
    let is_rollout = |rendered: &&&Rendered| ObjectKey::of(&rendered.object).is_some_and(|key| key.kind == "Rollout");
    let mut once = objects.iter().filter(|rendered| rendered.applying == Applying::Once);
    if let Some(rendered) = once.find(is_rollout) {
        let message = format!(
            "{} is only created, and never changed, so that no other version would be done; select it in no rule of {APPLY_ONCE}",
            rendered.named()
        );
        notes.error(notes.object.value_origin(&rendered.at), message);
    }
}

/// Adds a warning with the objects that are taken over.
fn taken_over(notes: &mut Notes<'_>, objects: &[&Rendered]) {
    let taken: BTreeSet<String> = objects
        .iter()
        .filter(|rendered| rendered.applying == Applying::TakeOver)
        .map(|rendered| rendered.named())
        .collect();
    let Some(first) = objects.iter().find(|rendered| rendered.applying == Applying::TakeOver) else { return };
    let more = match taken.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names: Vec<String> = taken.into_iter().take(NAMED).collect();
    let message = format!(
        "fields of other field managers are taken over on each cluster, in {}{more}; remove the policy {TAKE_OVER} once that is done",
        names.join(", ")
    );
    notes.warning(notes.object.value_origin(&first.at), message);
}
