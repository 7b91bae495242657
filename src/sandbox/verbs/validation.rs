//! Checks of whole objects, with the words of an API server.

use serde_json::Value;

use super::definition;
use crate::object;
use crate::refusal::{Cause, Refusal};
use crate::request::{Subresource, Target};
use crate::schema::{self, Update};

/// Checks an object against its schema, after what is known to be wrong with its metadata; on an update also against what it was.
///
/// # Errors
/// Invalid, with every fault.
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

/// Returns the refusal of an object with these faults.
pub(super) fn invalid(target: &Target, name: &str, causes: &[Cause]) -> Refusal {
    Refusal::invalid(&target.kind.group, &target.kind.kind, name, causes)
}
