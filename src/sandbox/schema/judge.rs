//! The complete validation of a custom resource, in the order of a real server.

use serde_json::Value;

use super::check::{Update, check};
use super::embedded::embedded;
use super::keyed::keyed;
use super::node::Node;
use super::{rules, words};
use crate::refusal::Cause;

/// The reasons that prevent the evaluation of CEL rules: the object may not have the structure that the rules rely on.
const BLOCKING: [&str; 5] =
    ["FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid"];

/// Validates an object against its schema and adds the errors to `causes`.
///
/// # Source
/// `apiextensions-apiserver/pkg/registry/customresource/strategy.go`.
pub(crate) fn judge(object: &Value, schema: &Node, update: Option<Update<'_>>, causes: &mut Vec<Cause>) {
    causes.extend(check(object, schema, update));
    if update.is_none_or(|update| !update.status) {
        causes.extend(embedded(object, schema));
    }
    // Duplicates that the old object had are allowed to stay.
    let repeated = keyed(object, schema);
    if !repeated.is_empty() && update.is_none_or(|update| keyed(update.old, schema).is_empty()) {
        causes.extend(repeated);
    }
    if !schema.has_rules {
        return;
    }
    if causes.iter().any(|cause| BLOCKING.contains(&cause.reason)) {
        causes.push(words::unasked());
    } else {
        causes.extend(rules::asked(object, schema, update.map(|update| update.old)));
    }
}
