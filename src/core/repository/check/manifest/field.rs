//! Checks of the fields of a manifest against the schema of its kind.
//!
//! # Source
//! kube-apiserver decodes an object into its Go type: a value of another type is refused, and an unknown field is dropped. Which fields are
//! required, and which values are allowed, depends on the version.

use serde_json::Value;

use super::variable::{is_in, is_key_of, is_value};
use super::{Manifest, Problems};
use crate::check::wording::{value_at, wording_of};
use tidegate_api::schema::check::{Violation, violations};
use tidegate_api::schema::path::{Path, Step};
use tidegate_api::schema::{Schema, builtin};

/// Adds the problems of all fields of a manifest. Of a kind without a schema, only the metadata is checked.
pub(super) fn check(manifest: Manifest<'_>, problems: &mut Problems) {
    if let Some(schema) = builtin::of_kind(manifest.group, manifest.version, manifest.kind) {
        against(manifest, manifest.value, manifest.at, schema, problems);
    }
    if let (Some(schema), Some(metadata)) = (builtin::metadata(), manifest.value.get("metadata")) {
        against(manifest, metadata, &manifest.path(&["metadata"]), schema, problems);
    }
}

/// Adds the problems of one value of a manifest.
fn against(manifest: Manifest<'_>, value: &Value, at: &Path, schema: &Schema, problems: &mut Problems) {
    let template = manifest.template;
    // The identity of each manifest is checked with the template.
    let name = manifest.path(&["metadata", "name"]);
    for (below, violation) in violations(value, schema) {
        if is_variable(value, &below, &violation) || is_nothing(value, &below, &violation) {
            continue;
        }
        let at = Path(at.0.iter().chain(&below.0).cloned().collect());
        if at == name {
            continue;
        }
        // A manifest that is rendered from something else is not at this path.
        let message = || wording_of(value_at(value, &below), &at, &violation);
        match violation {
            Violation::Unknown { .. } | Violation::Missing => problems.warning(template.key_origin(&at), message),
            Violation::NotOneOf { .. } => problems.warning(template.value_origin(&at), message),
            _ => problems.error(template.value_origin(&at), message),
        }
    }
}

/// Returns `true` if a variable decides about a violation.
fn is_variable(value: &Value, path: &Path, violation: &Violation) -> bool {
    match violation {
        Violation::Unknown { .. } => matches!(path.0.last(), Some(Step::Member(name)) if is_in(name)),
        Violation::Missing => is_key_of(around(value, path)),
        _ => value_at(value, path).is_some_and(is_value),
    }
}

/// Returns `true` if an API server treats the value at a path as absent, or as any value.
fn is_nothing(value: &Value, path: &Path, violation: &Violation) -> bool {
    let found = value_at(value, path).unwrap_or(&Value::Null);
    match violation {
        // The schema has no fields, so it describes any object.
        Violation::Unknown { known } => known.is_empty() || found.is_null(),
        Violation::Missing => false,
        // An API server fills in the default of an empty string.
        Violation::NotOneOf { .. } => found.is_null() || found == "",
        // Go decodes null as the zero value.
        _ => found.is_null(),
    }
}

/// Returns the object that the field at the end of a path is in.
fn around<'a>(value: &'a Value, path: &Path) -> &'a Value {
    let steps = path.0.split_last().map(|(_, steps)| steps.to_vec()).unwrap_or_default();
    value_at(value, &Path(steps)).unwrap_or(&Value::Null)
}
