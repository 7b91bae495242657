//! Reading single members of an object in JSON, as Go's unstructured objects do.

use serde_json::{Map, Value};

use tidegate_model::object::group_version;

/// What kind of object it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GroupVersionKind<'a> {
    pub(super) group: &'a str,
    pub(super) version: &'a str,
    pub(super) kind: &'a str,
}

impl<'a> GroupVersionKind<'a> {
    /// Reads the kind of an object; what is missing is empty, and an `apiVersion` with two slashes leaves nothing at all.
    pub(super) fn of(object: &'a Value) -> Self {
        let (group, version) = group_version(object).unwrap_or_default();
        if version.contains('/') {
            return Self::default();
        }
        Self { group, version, kind: text(object, ["kind"]) }
    }
}

/// Returns the text at the end of a path of members, or an empty one if there is none.
pub(super) fn text<'a, const N: usize>(object: &'a Value, path: [&str; N]) -> &'a str {
    at(object, path).and_then(Value::as_str).unwrap_or("")
}

/// Returns the value at the end of a path of members. Unlike a JSON pointer, it allocates nothing.
pub(super) fn at<'a, const N: usize>(object: &'a Value, path: [&str; N]) -> Option<&'a Value> {
    path.into_iter().try_fold(object, |value, member| value.get(member))
}

/// Returns the value of an annotation.
pub(super) fn annotation<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    mark(object, "annotations", name)
}

/// Returns the value of a label.
pub(super) fn label<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    mark(object, "labels", name)
}

/// Labels or annotations of which one is no text count for nothing; `null` stands for an empty text.
fn mark<'a>(object: &'a Value, member: &str, name: &str) -> Option<&'a str> {
    let marks = object.get("metadata")?.get(member)?.as_object()?;
    let value = marks.get(name)?;
    let are_texts = marks.values().all(|value| value.is_string() || value.is_null());
    are_texts.then(|| value.as_str().unwrap_or(""))
}

/// Returns `true` if an API server that was given `wanted` holds `observed`: a null member is as good as none, and a number has
/// many spellings.
pub(super) fn same(observed: &Value, wanted: &Value) -> bool {
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

/// Walks through both at once, since `serde_json` keeps members sorted; a lookup of each would take several times as long.
fn same_members(observed: &Map<String, Value>, wanted: &Map<String, Value>) -> bool {
    let present = |members: &Map<String, Value>| members.values().filter(|value| !value.is_null()).count();
    let pairs = |members| Map::iter(members).filter(|(_, value)| !value.is_null());
    let is_same = |((observed_name, observed), (name, wanted)): ((&String, &Value), (&String, &Value))| {
        observed_name == name && same(observed, wanted)
    };
    present(observed) == present(wanted) && pairs(observed).zip(pairs(wanted)).all(is_same)
}
