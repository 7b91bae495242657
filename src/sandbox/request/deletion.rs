//! `DeleteOptions`.

use serde_json::Value;

use super::Parameters;
use super::write::dry_run_cause;
use crate::api_error::{ApiError, Cause};
use tidegate_go::quote::go_quoted;

/// The propagation policy: what happens to the dependents of a deleted object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Propagation {
    /// Not given: the finalizers of the object decide; without such finalizers, the same as `Background`.
    Unsaid,
    /// The dependents are deleted after the object.
    Background,
    /// The dependents are deleted before the object.
    Foreground,
    /// The dependents stay.
    Orphan,
}

/// The options of a deletion.
#[derive(Debug, Clone)]
pub(crate) struct DeleteOptions {
    /// The propagation policy.
    pub(crate) propagation: Propagation,
    /// Precondition: the UID of the object.
    pub(crate) uid: Option<String>,
    /// Precondition: the resourceVersion of the object.
    pub(crate) resource_version: Option<String>,
    /// Whether nothing is persisted.
    pub(crate) dry_run: bool,
    /// Whether the answer is 202 Accepted while the object still waits for finalizers, as with the deprecated
    /// `orphanDependents: false`.
    pub(crate) is_accepted_only: bool,
}

impl DeleteOptions {
    /// Parses the options from the body, or from the query if there is no body.
    ///
    /// # Errors
    /// Invalid, with every invalid option.
    ///
    /// # Source
    /// `ValidateDeleteOptions` of `k8s.io/apimachinery/pkg/apis/meta/v1/validation`.
    pub(crate) fn read(parameters: &Parameters, body: &Value) -> Result<Self, ApiError> {
        let given = |name: &str| match body {
            Value::Null => parameters.get(name),
            body => body.get(name).and_then(Value::as_str),
        };
        let orphan = match body {
            Value::Null => parameters.choice("orphanDependents"),
            body => body.get("orphanDependents").and_then(Value::as_bool),
        };
        let dry_run: Vec<&str> = match body.get("dryRun") {
            Some(list) => list.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
            None if body.is_null() => parameters.all("dryRun"),
            None => Vec::new(),
        };
        let policy = given("propagationPolicy");
        let mut causes = Vec::new();
        if let (Some(policy), Some(_)) = (policy, orphan) {
            let why = "orphanDependents and deletionPropagation cannot be both set";
            causes.push(Cause::invalid("propagationPolicy", &go_quoted(policy), why));
        }
        let propagation = match (policy, orphan) {
            (None, Some(true)) | (Some("Orphan"), _) => Propagation::Orphan,
            (Some("Foreground"), _) => Propagation::Foreground,
            (None, Some(false)) | (Some("Background"), _) => Propagation::Background,
            (None, None) => Propagation::Unsaid,
            (Some(other), _) => {
                let known = "supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"";
                let message = format!("Unsupported value: {}: {known}", go_quoted(other));
                causes.push(Cause::new("FieldValueNotSupported", "propagationPolicy", message));
                Propagation::Unsaid
            }
        };
        causes.extend(dry_run_cause(&dry_run));
        if !causes.is_empty() {
            return Err(ApiError::invalid("meta.k8s.io", "DeleteOptions", "", &causes));
        }
        let precondition = |name: &str| Some(body.get("preconditions")?.get(name)?.as_str()?.to_owned());
        Ok(Self {
            propagation,
            uid: precondition("uid"),
            resource_version: precondition("resourceVersion"),
            dry_run: !dry_run.is_empty(),
            is_accepted_only: orphan == Some(false),
        })
    }

    /// Returns the options of the hub's own deletions.
    pub(crate) fn own() -> Self {
        Self {
            propagation: Propagation::Background,
            uid: None,
            resource_version: None,
            dry_run: false,
            is_accepted_only: false,
        }
    }
}
