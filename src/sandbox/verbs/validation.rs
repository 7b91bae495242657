//! Validation of whole objects.

use serde_json::Value;

use super::definition;
use crate::object;
use crate::refusal::{Cause, Refusal};
use crate::request::{Subresource, Target};
use crate::schema::{self, Update};

/// Validates an object against its schema, on an update also against the old object. `in_metadata` holds the errors that were
/// already found in the metadata.
///
/// # Errors
/// Invalid, with every error.
pub(super) fn validate(
    target: &Target,
    object: &Value,
    old: Option<&Value>,
    in_metadata: Vec<Cause>,
) -> Result<(), Refusal> {
    let mut causes = in_metadata;
    if let Some(node) = &target.spoken().node {
        let update = old.map(|old| Update { old, status: target.subresource == Some(Subresource::Status) });
        schema::judge(object, node, update, &mut causes);
    }
    if target.kind.is_definition() {
        causes.extend(definition::causes(object)?);
    }
    if causes.is_empty() {
        return Ok(());
    }
    Err(invalid(target, object::text(object, "name"), &causes))
}

/// Returns the refusal of an invalid object.
pub(super) fn invalid(target: &Target, name: &str, causes: &[Cause]) -> Refusal {
    Refusal::invalid(&target.kind.group, &target.kind.kind, name, causes)
}
