//! Validation of whole objects.

use serde_json::Value;

use crate::api_error::{ApiError, Cause};
use crate::object;
use crate::request::{Subresource, Target};
use crate::schema::{self, Update};
use crate::verbs::body::definition;

/// Validates an object against its schema, on an update also against the old object. `in_metadata` holds the errors that were
/// already found in the metadata.
///
/// # Errors
/// Invalid, with every error.
pub(in crate::verbs) fn validate(
    target: &Target,
    object: &Value,
    old: Option<&Value>,
    in_metadata: Vec<Cause>,
) -> Result<(), ApiError> {
    let mut causes = in_metadata;
    let version = target.requested_version();
    if let Some(of_kind) = version.schema.as_ref().filter(|_| target.kind.custom) {
        let update = old.map(|old| Update { old, status: target.subresource == Some(Subresource::Status) });
        schema::validate(object, of_kind, version.rules.as_ref(), update, &mut causes);
    }
    if target.kind.is_definition() {
        causes.extend(definition::causes(object)?);
    }
    if causes.is_empty() {
        return Ok(());
    }
    Err(invalid(target, object::text(object, "name"), &causes))
}

/// Returns the error of an invalid object.
pub(in crate::verbs) fn invalid(target: &Target, name: &str, causes: &[Cause]) -> ApiError {
    ApiError::invalid(&target.kind.group, &target.kind.kind, name, causes)
}
