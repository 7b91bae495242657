//! What the rules of policies about objects select: nothing, or objects without the fields that a rule names.

use serde_json::Value;

use super::schema::listed;
use crate::application::ownership::{ALL_FIELDS, Selection, Unknown, pointer, selected, selected_once};
use crate::application::{Parsed, Rendered};
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::path::Path;
use tidegate_model::near::{nearest, remedy};

/// Adds the problems of what the rules of the policy with an index select among the objects of its application.
pub(super) fn check(notes: &mut Notes<'_>, (index, parsed): (usize, &Parsed), objects: &[&Rendered]) {
    let Some(policy) = parsed.policies.get(index) else { return };
    let rules = path(&["spec", "policies"]).item(index).member("properties").member("rules");
    for (rule, selection) in selected(policy, objects).into_iter().enumerate() {
        let at = rules.item(rule);
        match selection {
            Selection { count: 0, is_empty, unknown } => {
                selects_nothing(notes, &at.member("selector"), is_empty, unknown);
            }
            _ => fields(notes, &at.member("strategy"), &selected_once(policy, rule, objects)),
        }
    }
}

/// Adds a complaint about a selector that selects no object.
fn selects_nothing(notes: &mut Notes<'_>, at: &Path, is_empty: bool, unknown: Option<Unknown>) {
    let (at, message) = match unknown {
        Some(Unknown { list, value, known }) => {
            let at = at.member(list).item(0);
            let remedy = match known.is_empty() {
                true => "there are none".to_owned(),
                false => remedy(&value, known.iter().map(String::as_str)),
            };
            let message = format!("{at} is {value:?}, which no object of the application has; {remedy}");
            (at, message)
        }
        None if is_empty => {
            let message =
                format!("{at} has no list, so that it selects nothing; write one, such as resourceTypes: [Deployment]");
            (at.clone(), message)
        }
        None => {
            let message = format!(
                "{at} selects no object of the application: no object has a value of each of its lists; write several rules, or leave a list out"
            );
            (at.clone(), message)
        }
    };
    notes.error(notes.object.value_origin(&at), message);
}

/// Adds a warning about each path of a rule of an `apply-once` that no selected object has: it has no effect there.
fn fields(notes: &mut Notes<'_>, at: &Path, objects: &[&Rendered]) {
    let Some(first) = objects.first() else { return };
    let given = format!("{}/path", pointer(&at.to_string()));
    let paths = listed(&notes.object.value, &given);
    for (index, path) in paths.filter_map(|(index, path)| Some((index, path.as_str()?))) {
        let has = |rendered: &&Rendered| rendered.object.pointer(&pointer(path)).is_some();
        if path == ALL_FIELDS || objects.iter().any(has) {
            continue;
        }
        let at = at.member("path").item(index);
        let near = near_field(&first.object, path).map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
        let message = format!(
            "{at} is {path:?}, which the manifest of {} does not have, so that it has no effect{near}",
            first.named()
        );
        notes.warning(notes.object.value_origin(&at), message);
    }
}

/// Returns the path to a field that an object has, and that differs only in its last field.
fn near_field(object: &Value, path: &str) -> Option<String> {
    let (parent, field) = path.rsplit_once('.')?;
    let fields = object.pointer(&pointer(parent))?.as_object()?;
    nearest(field, fields.keys().map(String::as_str)).map(|near| format!("{parent}.{near}"))
}
