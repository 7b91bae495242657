//! The complete validation of a custom resource, in the order of a real server.

use serde_json::Value;

use super::check::{Update, check};
use super::embedded::embedded;
use super::list_items::duplicates;
use super::rules::Rules;
use super::{evaluate, messages};
use crate::api_error::Cause;
use tidegate_api::schema::Schema;

/// The reasons that prevent the evaluation of CEL rules: the object may not have the structure that the rules rely on.
const BLOCKING: [&str; 5] =
    ["FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid"];

/// Validates an object against its schema and the rules in it, and adds the errors to `causes`.
///
/// # Source
/// `apiextensions-apiserver/pkg/registry/customresource/strategy.go`.
pub(crate) fn validate(
    object: &Value,
    schema: &Schema,
    rules: Option<&Rules>,
    update: Option<Update<'_>>,
    causes: &mut Vec<Cause>,
) {
    causes.extend(check(object, schema, update));
    if update.is_none_or(|update| !update.status) {
        causes.extend(embedded(object, schema));
    }
    // Duplicates that the old object had are allowed to stay.
    let repeated = duplicates(object, schema);
    if !repeated.is_empty() && update.is_none_or(|update| duplicates(update.old, schema).is_empty()) {
        causes.extend(repeated);
    }
    let Some(rules) = rules else { return };
    if causes.iter().any(|cause| BLOCKING.contains(&cause.reason)) {
        causes.push(messages::rules_not_checked());
    } else {
        causes.extend(evaluate::evaluate(object, schema, rules, update.map(|update| update.old)));
    }
}
