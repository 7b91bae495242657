//! Access to single fields of a JSON object, as with Go's unstructured objects.

use serde_json::{Map, Value};

use tidegate_model::object::group_version;

/// The group, version and kind of an object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupVersionKind<'a> {
    pub(crate) group: &'a str,
    pub(crate) version: &'a str,
    pub(crate) kind: &'a str,
}

impl<'a> GroupVersionKind<'a> {
    /// Reads the kind of an object. Missing parts are empty; an `apiVersion` with two slashes makes all parts empty.
    pub(crate) fn of(object: &'a Value) -> Self {
        let (group, version) = group_version(object).unwrap_or_default();
        if version.contains('/') {
            return Self::default();
        }
        Self { group, version, kind: text(object, ["kind"]) }
    }
}

/// Returns the string at the end of a path of fields, or an empty string if there is none.
pub(crate) fn text<'a, const N: usize>(object: &'a Value, path: [&str; N]) -> &'a str {
    at(object, path).and_then(Value::as_str).unwrap_or("")
}

/// Returns the value at the end of a path of fields. Unlike a JSON pointer lookup, it does not allocate.
pub(crate) fn at<'a, const N: usize>(object: &'a Value, path: [&str; N]) -> Option<&'a Value> {
    path.into_iter().try_fold(object, |value, member| value.get(member))
}

/// Returns the value of an annotation.
pub(crate) fn annotation<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    mark(object, "annotations", name)
}

/// Returns the value of a label.
pub(crate) fn label<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    mark(object, "labels", name)
}

/// Returns the value of a label or annotation; `null` counts as an empty string. If any value is not a string, all are ignored.
fn mark<'a>(object: &'a Value, member: &str, name: &str) -> Option<&'a str> {
    let marks = object.get("metadata")?.get(member)?.as_object()?;
    let value = marks.get(name)?;
    let are_texts = marks.values().all(|value| value.is_string() || value.is_null());
    are_texts.then(|| value.as_str().unwrap_or(""))
}

/// Returns `true` if `observed` is what an API server stores for `wanted`: null fields are ignored, and the notation of numbers
/// does not matter.
pub(crate) fn same(observed: &Value, wanted: &Value) -> bool {
    match (observed, wanted) {
        (Value::Object(observed), Value::Object(wanted)) => same_members(observed, wanted),
        (Value::Array(observed), Value::Array(wanted)) => {
            observed.len() == wanted.len()
                && observed.iter().zip(wanted).all(|(observed, wanted)| same(observed, wanted))
        }
        (Value::Number(observed), Value::Number(wanted)) => observed == wanted || observed.as_f64() == wanted.as_f64(),
        (observed, wanted) => observed == wanted,
    }
}

/// Walks through both maps at once, since `serde_json` keeps fields sorted. Looking up each field would be several times
/// slower.
fn same_members(observed: &Map<String, Value>, wanted: &Map<String, Value>) -> bool {
    let present = |members: &Map<String, Value>| members.values().filter(|value| !value.is_null()).count();
    let pairs = |members| Map::iter(members).filter(|(_, value)| !value.is_null());
    let is_same = |((observed_name, observed), (name, wanted)): ((&String, &Value), (&String, &Value))| {
        observed_name == name && same(observed, wanted)
    };
    present(observed) == present(wanted) && pairs(observed).zip(pairs(wanted)).all(is_same)
}

/// Returns the manifests of a template before rendering.
pub(crate) fn raw_manifests(template: &Value) -> &[Value] {
    let manifests = at(template, ["spec", "agentSpec", "workload", "manifests"]).and_then(Value::as_array);
    manifests.map_or(&[], Vec::as_slice)
}
