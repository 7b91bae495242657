//! Validates a value against a schema, and reports each error with its path and what is expected.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

use super::bounds::Limit;
use super::builtin;
use super::path::{Path, Place};
use super::structural::{ListType, Schema};

/// An error at one path.
#[derive(Debug, Clone, PartialEq)]
pub enum Violation {
    /// A field that the schema does not know.
    Unknown {
        /// The fields that are known there.
        known: Vec<String>,
    },
    /// A value of the wrong type.
    Type {
        /// The type in the schema, such as `string` or `integer or string`.
        expected: String,
    },
    /// A required field that is missing; the path includes the field.
    Missing,
    /// A value that is not one of the allowed values.
    NotOneOf {
        /// The allowed values.
        allowed: Vec<Value>,
    },
    /// A string that does not match the pattern.
    Pattern {
        /// The regular expression.
        pattern: String,
    },
    /// A string or list whose length is out of bounds.
    Length {
        /// The minimum, if any.
        min: Option<u64>,
        /// The maximum, if any.
        max: Option<u64>,
    },
    /// A number that is out of bounds.
    Range {
        /// The minimum, if any.
        min: Option<f64>,
        /// The maximum, if any.
        max: Option<f64>,
    },
    /// Two items of a keyed list with the same key.
    DuplicateKey {
        /// The fields that form the key.
        keys: Vec<String>,
    },
}

/// Maximum errors that [`violations`] returns. A hostile value with more of them could fill the memory.
pub const MAX_VIOLATIONS: usize = 1000;

/// Validates a value against a schema. Returns its errors, in the order of the value, up to [`MAX_VIOLATIONS`].
///
/// Fields that the schema would prune are errors too.
pub fn violations(value: &Value, schema: &Schema) -> Vec<(Path, Violation)> {
    let mut found = Vec::new();
    Walk { values: true, is_resource: true, most: MAX_VIOLATIONS, found: &mut found }.value(value, schema, Place::Root);
    found
}

/// Validates a value that is not an object of a kind, so that its fields `apiVersion`, `kind` and `metadata` are like any other.
pub fn violations_of_value(value: &Value, schema: &Schema) -> Vec<(Path, Violation)> {
    let mut found = Vec::new();
    Walk { values: true, is_resource: false, most: MAX_VIOLATIONS, found: &mut found }.value(
        value,
        schema,
        Place::Root,
    );
    found
}

/// Returns the errors that a decoder would report, in the order of the value: fields that the schema would prune, and fields of the
/// wrong type.
pub fn misfits(value: &Value, schema: &Schema) -> Vec<(Path, Violation)> {
    let mut found = Vec::new();
    Walk { values: false, is_resource: true, most: usize::MAX, found: &mut found }.value(value, schema, Place::Root);
    found
}

struct Walk<'a> {
    /// Whether values are checked, and not only fields and types.
    values: bool,
    /// Whether the value itself has an apiVersion, a kind and metadata.
    is_resource: bool,
    /// How many errors may be found.
    most: usize,
    found: &'a mut Vec<(Path, Violation)>,
}

impl Walk<'_> {
    fn violation(&mut self, place: Place<'_>, violation: Violation) {
        if self.found.len() < self.most {
            self.found.push((place.to_path(), violation));
        }
    }

    fn value(&mut self, value: &Value, schema: &Schema, place: Place<'_>) {
        let schema = builtin::resolved(schema);
        if value.is_null() && schema.nullable {
            return;
        }
        if !has_type(value, schema) {
            let expected = if schema.int_or_string { "integer or string" } else { &schema.type_ };
            return self.violation(place, Violation::Type { expected: expected.to_owned() });
        }
        if self.values {
            if !schema.allows_value(value) {
                self.violation(place, Violation::NotOneOf { allowed: schema.allowed.clone() });
            }
            match value {
                Value::String(string) => self.string(string, schema, place),
                Value::Number(number) => self.number(number.as_f64().unwrap_or(0.0), schema, place),
                _ => {}
            }
        }
        match value {
            Value::Array(items) => self.list(items, schema, place),
            Value::Object(fields) => self.object(fields, schema, place),
            _ => {}
        }
    }

    fn string(&mut self, string: &str, schema: &Schema, place: Place<'_>) {
        let range = schema.bounds.length;
        if !range.contains(string.chars().count() as u64) {
            self.violation(place, Violation::Length { min: range.min, max: range.max });
        }
        if let Some(pattern) = schema.pattern.as_ref().filter(|pattern| !pattern.matches(string)) {
            self.violation(place, Violation::Pattern { pattern: pattern.source.clone() });
        }
    }

    fn number(&mut self, number: f64, schema: &Schema, place: Place<'_>) {
        let of_format = |bound: i32| (schema.format == "int32").then(|| Limit::inclusive(f64::from(bound)));
        let min = schema.bounds.minimum.or_else(|| of_format(i32::MIN));
        let max = schema.bounds.maximum.or_else(|| of_format(i32::MAX));
        if min.is_some_and(|min| min.is_above(number)) || max.is_some_and(|max| max.is_below(number)) {
            let value = |limit: Option<Limit>| limit.map(|limit| limit.value);
            self.violation(place, Violation::Range { min: value(min), max: value(max) });
        }
    }

    fn list(&mut self, items: &[Value], schema: &Schema, place: Place<'_>) {
        let range = schema.bounds.items;
        if self.values && !range.contains(items.len() as u64) {
            self.violation(place, Violation::Length { min: range.min, max: range.max });
        }
        if let Some(item_schema) = &schema.items {
            for (index, item) in items.iter().enumerate() {
                self.value(item, item_schema, Place::Item(&place, index));
            }
        }
        if self.values {
            self.unique(items, schema, place);
        }
    }

    fn unique(&mut self, items: &[Value], schema: &Schema, place: Place<'_>) {
        let keys = schema.list_type.keys();
        let default = |key: &str| schema.items.as_ref()?.properties.get(key)?.default.as_ref();
        let key_of = |item: &Value| -> Vec<Value> {
            keys.iter().map(|key| item.get(key).or_else(|| default(key)).cloned().unwrap_or(Value::Null)).collect()
        };
        // As strings, because values have neither order nor hash; a list of 100,000 items must not take quadratic time.
        let mut seen = BTreeSet::new();
        let is_keyed = matches!(schema.list_type, ListType::Map(_));
        for (index, item) in items.iter().enumerate().filter(|_| is_keyed) {
            if !seen.insert(Value::Array(key_of(item)).to_string()) {
                self.violation(Place::Item(&place, index), Violation::DuplicateKey { keys: keys.to_vec() });
            }
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, schema: &Schema, place: Place<'_>) {
        let is_resource = self.is_resource && place.is_root() || schema.is_embedded_resource;
        let is_open = schema.keeps_unknown || (schema.properties.is_empty() && schema.type_.is_empty());
        let required = if self.values { schema.required.as_slice() } else { &[] };
        for name in required.iter().filter(|name| !fields.contains_key(*name)) {
            // An API server fills in defaults before it checks for missing fields.
            if schema.properties.get(name).is_none_or(|property| property.default.is_none()) {
                self.violation(Place::Member(&place, name), Violation::Missing);
            }
        }
        for (name, field) in fields {
            if is_resource && matches!(name.as_str(), "apiVersion" | "kind" | "metadata") {
                continue;
            }
            let place = Place::Member(&place, name);
            match schema.of_field(name) {
                // An API server drops a meaningless null.
                Some(_) if field.is_null() && schema.properties.contains_key(name) => {}
                Some(schema) => self.value(field, schema, place),
                None if is_open => {}
                None => {
                    self.violation(place, Violation::Unknown { known: schema.properties.keys().cloned().collect() })
                }
            }
        }
    }
}

fn has_type(value: &Value, schema: &Schema) -> bool {
    let is_integer = |number: &Number| {
        number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
    };
    if schema.int_or_string {
        return value.is_string() || value.as_number().is_some_and(is_integer);
    }
    match schema.type_.as_str() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_number().is_some_and(is_integer),
        "number" => value.is_number(),
        _ => true,
    }
}
