//! Defaulting: absent fields get their defaults, and meaningless nulls are dropped.

use serde_json::Value;

use super::structural::Schema;

/// Fills in the default of each absent field, from the outside in.
///
/// # Source
/// `apiextensions-apiserver` structural defaulting: null fields that are not nullable and have a default are replaced too.
pub fn fill(value: &mut Value, schema: &Schema) {
    fill_at_most(value, schema, &mut None);
}

/// Fills in defaults like [`fill`], but at most `room` bytes of JSON. Returns `false` if they have more. The value is then incomplete.
pub fn fill_within(value: &mut Value, schema: &Schema, room: usize) -> bool {
    fill_at_most(value, schema, &mut Some(room))
}

fn fill_at_most(value: &mut Value, schema: &Schema, room: &mut Option<usize>) -> bool {
    if let Value::Object(fields) = value {
        for (name, property) in &schema.properties {
            let is_absent = fields.get(name).is_none_or(|value| value.is_null() && !property.nullable);
            if is_absent && let Some(default) = &property.default {
                if let Some(left) = room {
                    let Some(rest) = left.checked_sub(default.to_string().len()) else { return false };
                    *left = rest;
                }
                fields.insert(name.clone(), default.clone());
            }
        }
    }
    let mut is_complete = true;
    schema.visit_mut(value, |value, schema| is_complete = is_complete && fill_at_most(value, schema, room));
    is_complete
}

/// Removes each field that [`fill`] would fill in with the same value.
///
/// Required fields, and the fields that identify the items of a list, are kept: a reader expects them.
pub fn strip(value: &mut Value, schema: &Schema) {
    strip_unless(value, schema, &[]);
}

fn strip_unless(value: &mut Value, schema: &Schema, kept: &[String]) {
    if let Value::Object(fields) = value {
        fields.retain(|name, field| {
            let is_kept = kept.contains(name) || schema.required.contains(name);
            is_kept || !schema.properties.get(name).is_some_and(|property| is_default(field, property))
        });
    }
    let keys = schema.list_type.keys();
    schema.visit_mut(value, |value, schema| strip_unless(value, schema, keys));
}

/// Returns `true` if a value equals the default of its schema, with the defaults inside of both filled in.
fn is_default(value: &Value, schema: &Schema) -> bool {
    let filled = |value: &Value| {
        let mut value = value.clone();
        fill(&mut value, schema);
        value
    };
    schema.default.as_ref().is_some_and(|default| filled(default) == filled(value))
}

/// Removes fields that are null, but not nullable, and have no default.
///
/// # Source
/// `apiextensions-apiserver` structural defaulting, `PruneNonNullableNullsWithoutDefaults`.
pub fn drop_nulls(value: &mut Value, schema: &Schema) {
    drop_nulls_unless(value, schema, &|schema| schema.nullable || schema.default.is_some());
}

/// Removes all fields that are null and have a schema.
///
/// # Source
/// Kubernetes "Defaulting and Nullable". This is right for a declaration, before its defaults are filled in, as long as null means
/// the same as absent in nullable fields.
pub fn drop_all_nulls(value: &mut Value, schema: &Schema) {
    drop_nulls_unless(value, schema, &|_| false);
}

fn drop_nulls_unless(value: &mut Value, schema: &Schema, is_kept: &dyn Fn(&Schema) -> bool) {
    if let Value::Object(fields) = value {
        fields.retain(|name, field| !field.is_null() || schema.of_field(name).is_none_or(is_kept));
    }
    schema.visit_mut(value, |value, schema| drop_nulls_unless(value, schema, is_kept));
}
