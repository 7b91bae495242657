//! The whole judgement of an object, in the order of a real server.

use serde_json::Value;

use super::check::{Update, check};
use super::embedded::embedded;
use super::keyed::keyed;
use super::node::Node;
use super::{rules, words};
use crate::refusal::Cause;

/// The reasons that keep the rules from being asked: the object may not have the form that they rely on.
const BLOCKING: [&str; 5] =
    ["FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid"];

/// Adds what is wrong with an object by its schema to what is known already.
///
/// # Source
/// `apiextensions-apiserver/pkg/registry/customresource/strategy.go`.
pub(crate) fn judge(object: &Value, schema: &Node, update: Option<Update<'_>>, causes: &mut Vec<Cause>) {
    causes.extend(check(object, schema, update));
    if update.is_none_or(|update| !update.status) {
        causes.extend(embedded(object, schema));
    }
    // What was there twice before may stay so.
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
