//! The objects of a cluster before and after a change.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

use super::document::{Change, ObjectChange};
use super::manner::Manners;
use tidegate_go::canonical::sha256_hex;
use tidegate_model::object::ObjectKey;

/// The lines around a change that a diff shows.
const CONTEXT: usize = 3;

/// What changes between two lists of objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Difference {
    /// The objects that change, in the order of the template; removed ones are last.
    pub(super) changes: Vec<ObjectChange>,
    /// A hash of everything that changes, including what is not shown.
    pub(super) hash: String,
}

/// Compares the objects of a cluster before and after a change, each with how they are applied and kept.
pub(super) fn difference(
    (before, manners_before): (&[Arc<Value>], &Manners),
    (after, manners_after): (&[Arc<Value>], &Manners),
) -> Difference {
    let old: BTreeMap<ObjectKey, &Value> = before.iter().filter_map(|o| Some((ObjectKey::of(o)?, &**o))).collect();
    let new: BTreeMap<ObjectKey, &Value> = after.iter().filter_map(|o| Some((ObjectKey::of(o)?, &**o))).collect();
    let order = after.iter().chain(before).filter_map(|object| ObjectKey::of(object));
    let (mut changes, mut told, mut seen) = (Vec::new(), Vec::new(), std::collections::BTreeSet::new());
    for key in order {
        let (before, after) = (old.get(&key).copied(), new.get(&key).copied());
        let manners = [manners_before.get(&key), manners_after.get(&key)];
        if before == after && manners[0] == manners[1] || !seen.insert(key.clone()) {
            continue;
        }
        told.push(json!([key.to_string(), before, after, manners]));
        changes.push(ObjectChange { manner: manner((before, after), manners), ..changed(&key, before, after) });
    }
    Difference { changes, hash: sha256_hex(json!(told).to_string().as_bytes()) }
}

/// Returns what changes between two lists of objects, in the order of the second one; removed ones are last. Values of Secrets are not shown.
pub fn object_changes(before: &[Value], after: &[Value]) -> Vec<ObjectChange> {
    let shared = |objects: &[Value]| objects.iter().cloned().map(Arc::new).collect::<Vec<_>>();
    let none = Manners::new();
    difference((&shared(before), &none), (&shared(after), &none)).changes
}

/// Returns how an object is applied and kept after a change, or was before it if it is removed.
fn manner((before, after): (Option<&Value>, Option<&Value>), manners: [Option<&String>; 2]) -> Option<String> {
    match (before, after, manners) {
        (_, None, [was, _]) => was.cloned(),
        (None, _, [_, is]) => is.cloned(),
        (_, _, [was, is]) if was == is => is.cloned(),
        (_, _, [was, is]) => {
            let words =
                |manner: Option<&String>| manner.cloned().unwrap_or_else(|| "applied like any other".to_owned());
            Some(format!("{}, before: {}", words(is), words(was)))
        }
    }
}

/// Returns `true` for a Secret, and for a list that has one.
fn contains_secret(object: &Value) -> bool {
    let is_secret = object["kind"] == "Secret" && object["apiVersion"] == "v1";
    is_secret || object["items"].as_array().is_some_and(|items| items.iter().any(contains_secret))
}

fn changed(key: &ObjectKey, before: Option<&Value>, after: Option<&Value>) -> ObjectChange {
    let change = match (before, after) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        _ => Change::Changed,
    };
    let object = key.to_string();
    if [before, after].into_iter().flatten().any(contains_secret) {
        return ObjectChange { object, change, added: 0, removed: 0, manner: None, diff: None };
    }
    let text =
        |object: Option<&Value>| object.and_then(|object| serde_saphyr::to_string(object).ok()).unwrap_or_default();
    let (before, after) = (text(before), text(after));
    let diff = TextDiff::from_lines(&before, &after);
    let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
    let (added, removed) = (count(ChangeTag::Insert), count(ChangeTag::Delete));
    let text = diff.unified_diff().context_radius(CONTEXT).to_string();
    ObjectChange { object, change, added, removed, manner: None, diff: Some(text) }
}
