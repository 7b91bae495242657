//! Whether an object of an application meets its conditions, by the values that its cluster reports.

use serde_json::{Map, Value, json};

use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{FeedbackValue, FieldValue};
use tidegate_cel::{Evaluator, FieldPath, Program, Verdict, reads};

/// The start of the names of the values that conditions read; the path of the field follows.
const FIELD: &str = "TidegateReady.";

/// Returns `true` if all conditions in the annotation of a manifest hold, and its controller has processed the generation that is reported.
pub(super) fn hold(manifest: &Value, values: &[&FeedbackValue]) -> bool {
    let annotations = manifest.pointer("/metadata/annotations");
    let Some(annotation) = annotations.and_then(|annotations| annotations.get(key::READY_WHEN)?.as_str()) else {
        return true;
    };
    let last = |name: &str| values.iter().rev().find(|value| value.name == name).map(|value| &value.field_value);
    let [generation, processed] =
        ["TidegateGeneration", "TidegateObservedGeneration"].map(|name| last(name).and_then(|value| value.integer));
    let is_behind = generation.zip(processed).is_some_and(|(generation, processed)| processed < generation);
    if is_behind || last("TidegateUid").is_none() {
        return false;
    }
    let Ok(conditions) = serde_json::from_str::<Vec<String>>(annotation) else { return false };
    let object = json!({ "object": object(values, &maps(&conditions)) });
    conditions.iter().all(|condition| {
        let program = Program::about_values(condition, &["object"]);
        program.is_ok_and(|program| Evaluator::default().evaluate_rule(&program, &object) == Verdict::Holds)
    })
}

/// Returns the maps that are there even if none of their fields is reported: those that conditions read fields of, and do not read themselves.
fn maps(conditions: &[String]) -> Vec<FieldPath> {
    let read: Vec<FieldPath> =
        conditions.iter().filter_map(|condition| reads(condition, "object").ok()).flatten().collect();
    let parents = read.iter().filter_map(|path| Some(path.split_last()?.1.to_vec()));
    parents.filter(|parent| !read.iter().any(|path| parent.starts_with(path))).collect()
}

/// Returns the fields of an object that are reported. A dot in a name has a backslash before it.
fn object(values: &[&FeedbackValue], maps: &[FieldPath]) -> Value {
    let mut object = Value::Object(Map::new());
    for path in maps {
        let at = path.iter().fold(&mut object, |at, step| member(at, step));
        at.is_null().then(|| *at = json!({}));
    }
    for value in values {
        let Some(path) = value.name.strip_prefix(FIELD) else { continue };
        let path: Vec<String> = path.replace("\\.", "\0").split('.').map(|step| step.replace('\0', ".")).collect();
        *path.iter().fold(&mut object, |at, step| member(at, step)) = field(&value.field_value);
    }
    object
}

/// Returns a member of a map. Anything else becomes a map.
fn member<'v>(value: &'v mut Value, step: &str) -> &'v mut Value {
    if !value.is_object() {
        *value = json!({});
    }
    &mut value[step]
}

fn field(FieldValue { integer, string, boolean, json_raw, .. }: &FieldValue) -> Value {
    let raw = || json_raw.as_ref().and_then(|raw| serde_json::from_str(raw).ok());
    let value = integer.map(|integer| json!(integer)).or_else(|| string.as_ref().map(|string| json!(string)));
    value.or_else(|| boolean.map(|boolean| json!(boolean))).or_else(raw).unwrap_or(Value::Null)
}
