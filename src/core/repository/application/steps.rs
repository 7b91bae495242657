//! The steps of an application that deliver nothing: those that wait.

use serde_json::Value;

use super::parsed::Step;
use crate::read::object::path;
use tidegate_api::schema::path::Path;
use tidegate_model::name::NamespacedName;

/// The type of a step that waits while the clusters of the step before it stay healthy.
pub(crate) const SUSPEND: &str = "suspend";
/// The type of a step that waits for another application.
pub(crate) const DEPENDS_ON_APP: &str = "depends-on-app";

/// Returns how long the clusters of a step have to stay healthy before later steps start, if the next step says so.
pub(super) fn soak(steps: &[Step], index: usize) -> Option<&str> {
    let next = steps.get(index.checked_add(1)?)?;
    next.properties.duration.as_deref().filter(|_| next.type_ == SUSPEND)
}

/// Returns the names of the units for which steps of an application wait, each with the path of its step.
pub(crate) fn awaited(application: &Value) -> Vec<(Path, String)> {
    let own = application.pointer("/metadata/namespace").and_then(Value::as_str).unwrap_or_default();
    let steps = application.pointer("/spec/workflow/steps").and_then(Value::as_array).into_iter().flatten();
    let unit = |(index, step): (usize, &Value)| {
        let text = |member: &str| step.get("properties").and_then(|properties| properties.get(member)?.as_str());
        let waits = step.get("type").and_then(Value::as_str) == Some(DEPENDS_ON_APP);
        let name = NamespacedName::new(text("namespace").unwrap_or(own), text("name").filter(|_| waits)?);
        let at = path(&["spec", "workflow", "steps"]).item(index).member("properties").member("name");
        Some((at, format!("application/{name}")))
    };
    steps.enumerate().filter_map(unit).collect()
}
