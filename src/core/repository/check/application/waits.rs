//! The steps of an application that wait: for a time, or for another application.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::schema::{conform, listed};
use crate::application::dispatch::is_dispatch;
use crate::application::steps::{DEPENDS_ON_APP, SUSPEND};
use crate::read::notes::Notes;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_model::time::parse_go_duration;

static SUSPEND_SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let properties = json!({ "duration": { "type": "string" }, "message": { "type": "string" } });
    Schema::compile(&json!({ "type": "object", "properties": properties }))
});

static DEPENDS_SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let name = || json!({ "type": "string", "maxLength": 63, "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" });
    let properties = json!({ "name": name(), "namespace": name() });
    Schema::compile(&json!({ "type": "object", "required": ["name"], "properties": properties }))
});

/// The steps around a step that waits.
#[derive(Clone, Copy)]
pub(super) struct Around<'v> {
    pub(super) before: Option<&'v Value>,
    pub(super) after: Option<&'v Value>,
    /// Whether all steps before it wait for other applications.
    pub(super) is_first: bool,
    /// Whether a policy of the step before it has a soak time of its own.
    pub(super) soaks: bool,
}

impl<'v> Around<'v> {
    /// Returns what is around the step with an index. `soaking` are the policies with a soak time of their own.
    pub(super) fn of(steps: &[&'v Value], index: usize, soaking: &BTreeSet<&str>) -> Self {
        let at = |index: Option<usize>| index.and_then(|index| steps.get(index)).copied();
        let before = at(index.checked_sub(1));
        let parts = before
            .into_iter()
            .flat_map(|step| [step].into_iter().chain(listed(step, "/subSteps").map(|(_, part)| part)));
        let mut names =
            parts.flat_map(|part| listed(part, "/properties/policies")).filter_map(|(_, name)| name.as_str());
        Self {
            before,
            after: at(index.checked_add(1)),
            is_first: steps.iter().take(index).all(|step| is(step, DEPENDS_ON_APP)),
            soaks: names.any(|name| soaking.contains(name)),
        }
    }
}

/// Returns `true` for a step that waits.
pub(super) fn waits(step: &Value) -> bool {
    is(step, SUSPEND) || is(step, DEPENDS_ON_APP)
}

/// Returns `true` if a step, or a part of it, dispatches.
fn dispatches(step: &Value) -> bool {
    let is_one = |step: &Value| step.get("type").and_then(Value::as_str).is_some_and(is_dispatch);
    is_one(step) || listed(step, "/subSteps").any(|(_, part)| is_one(part))
}

fn is(step: &Value, type_: &str) -> bool {
    step.get("type").is_some_and(|given| given == type_)
}

/// Adds the problems of a step that waits.
pub(super) fn check(notes: &mut Notes<'_>, (at, step): (&Path, &Value), around: Around<'_>) {
    let at_properties = at.member("properties");
    let none = Value::Object(Map::new());
    let properties = step.get("properties").unwrap_or(&none);
    if is(step, SUSPEND) {
        return suspend(notes, (&at_properties, properties), around);
    }
    conform(notes, (&at_properties, properties), &DEPENDS_SCHEMA);
    if !around.is_first {
        let at = at.member("type");
        let message =
            format!("{at} is {DEPENDS_ON_APP}, which holds the whole application; move it before all other steps");
        notes.error(notes.object.value_origin(&at), message);
    }
}

fn suspend(notes: &mut Notes<'_>, (at, properties): (&Path, &Value), around: Around<'_>) {
    let object = notes.object;
    let before = notes.complaints.len();
    conform(notes, (at, properties), &SUSPEND_SCHEMA);
    if notes.complaints.len() > before {
        return;
    }
    let Some(duration) = properties.get("duration").and_then(Value::as_str) else {
        let message = format!(
            "{at} has no duration, but does not say who resumes; write a RolloutPolicy with approvals, or a duration"
        );
        return notes.error(object.value_origin(at), message);
    };
    let at_duration = at.member("duration");
    let refused = match parse_go_duration(duration) {
        Err(_) => Some("write a duration such as \"5m\" or \"1h30m\""),
        Ok(span) if span.is_negative() || span.is_zero() => Some("write a duration that is more than 0"),
        Ok(_) => None,
    };
    if let Some(remedy) = refused {
        notes.error(object.value_origin(&at_duration), format!("{at_duration} is {duration:?}; {remedy}"));
    }
    if around.before.is_none_or(waits) || around.after.is_none() {
        let message = format!(
            "{at} has no effect: it holds clusters after a step that delivers and before another one; move or remove it"
        );
        notes.error(object.value_origin(at), message);
    }
    if around.before.is_some_and(dispatches) {
        let message = format!(
            "{at} cannot follow a step that dispatches, since clusters belong to the first of these; remove it"
        );
        notes.error(object.value_origin(at), message);
    }
    if around.soaks {
        let message = format!(
            "{at_duration} is {duration:?}, but a policy of the step before has minSuccessTime in its rolloutStrategy; keep one of the two"
        );
        notes.error(object.value_origin(&at_duration), message);
    }
}
