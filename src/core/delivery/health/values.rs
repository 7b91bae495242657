//! The values that a cluster reports about an object.

use tidegate_api::ocm::manifest_work::{FeedbackValue, ManifestCondition};

use crate::works::feedback::{JOB_COMPLETE, OBSERVED};

/// A feedback value of the wrong type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} is not an integer")]
pub(crate) struct NotAnInteger {
    /// The name of the value.
    name: String,
}

/// Returns all values.
pub(super) fn values(report: &ManifestCondition) -> &[FeedbackValue] {
    report.status_feedback.as_ref().map_or(&[], |feedback| &feedback.values)
}

/// Returns the last value with one of the names.
pub(crate) fn number(report: &ManifestCondition, names: &[&str]) -> Result<Option<i64>, NotAnInteger> {
    let mut number = None;
    for value in values(report).iter().filter(|value| names.contains(&value.name.as_str())) {
        let integer = value.field_value.integer.ok_or_else(|| NotAnInteger { name: value.name.clone() })?;
        number = Some(integer);
    }
    Ok(number)
}

/// Returns the last string with a name.
pub(super) fn text<'r>(report: &'r ManifestCondition, name: &str) -> Option<&'r str> {
    let named = values(report).iter().filter(|value| value.name == name);
    named.filter_map(|value| value.field_value.string.as_deref()).next_back()
}

/// Returns the generation that the controller of an object has processed. Some controllers, such as that of Argo Rollouts, write the number as a
/// string.
pub(super) fn observed(report: &ManifestCondition) -> Result<Option<i64>, NotAnInteger> {
    let Some(written) = text(report, OBSERVED.0) else { return number(report, &[OBSERVED.0]) };
    written.parse().map(Some).map_err(|_| NotAnInteger { name: OBSERVED.0.to_owned() })
}

/// Returns `true` if a Job is reported as complete.
pub(super) fn is_complete(report: &ManifestCondition) -> bool {
    text(report, JOB_COMPLETE.0) == Some("True")
}
