//! Validation of an object against its schema, without the CEL rules.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::errors::{At, Errors};
use super::list_items::OldItems;
use super::{combine, messages, number};
use crate::api_error::Cause;
use tidegate_api::schema::path::Place;
use tidegate_api::schema::{Range, Schema, format};

/// The old object of an update, and which part of it the request may change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Update<'a> {
    /// The object before the request.
    pub(crate) old: &'a Value,
    /// Whether the request updates the status subresource, so that only the status is checked.
    pub(crate) status: bool,
}

/// Returns the errors of an object. Errors in values that an update does not change are ignored (validation ratcheting).
pub(super) fn check(object: &Value, schema: &Schema, update: Option<Update<'_>>) -> Vec<Cause> {
    let mut errors = Errors::default();
    match update {
        // The status is checked like a separate object: the paths in messages are relative to it.
        Some(Update { old, status: true }) => {
            let Some((status, schema)) = object.get("status").zip(schema.properties.get("status")) else {
                return Vec::new();
            };
            let root = Place::Root;
            let place = Place::Member(&root, "status");
            errors.value(status, schema, &At { place, offset: "status".len() }, old.get("status"));
        }
        _ => errors.value(object, schema, &At { place: Place::Root, offset: 0 }, update.map(|update| update.old)),
    }
    errors.into_causes()
}

impl Errors {
    /// Checks a value; ignores its errors if it is unchanged.
    fn value(&mut self, value: &Value, schema: &Schema, at: &At<'_>, old: Option<&Value>) {
        let errors = Self::of(value, schema, at, old);
        if !errors.is_empty() && old == Some(value) {
            return;
        }
        self.merge(errors);
    }

    /// Checks a value.
    fn of(value: &Value, schema: &Schema, at: &At<'_>, old: Option<&Value>) -> Self {
        let mut errors = Self::default();
        if schema.is_typed() || !schema.format.is_empty() {
            errors.type_of(value, schema, at);
        }
        if value.is_null() {
            errors.allowed(value, schema, at);
            return errors;
        }
        combine::combined(&schema.combined, at, &|schema| Self::of(value, schema, at, old), &mut errors);
        match value {
            Value::String(string) => errors.string(string, value, schema, at),
            Value::Number(number) => number::number(number, schema, at, &mut errors),
            Value::Array(items) => errors.list(items, schema, at, old),
            _ => {}
        }
        errors.allowed(value, schema, at);
        if let Value::Object(fields) = value {
            errors.object(fields, schema, at, old);
        }
        // Each of the checks above counts once, and so does the value as a whole.
        let of_its_type = match value {
            Value::String(_) => 1 + usize::from(!schema.format.is_empty()),
            Value::Number(_) | Value::Array(_) | Value::Object(_) => 1,
            _ => 0,
        };
        errors.checks += 3 + of_its_type + usize::from(schema.is_typed());
        errors
    }

    fn type_of(&mut self, value: &Value, schema: &Schema, at: &At<'_>) {
        let mut fail = |expected: &str, found: &str| {
            self.add(messages::wrong_type(&at.place, &at.text(), expected, found));
        };
        let (type_, format) = match value {
            Value::Null if schema.nullable || !schema.is_typed() => return,
            Value::Null => return fail(messages::types(schema), "null"),
            Value::Bool(_) => ("boolean", ""),
            Value::Number(number) if number.is_f64() => ("number", "float64"),
            Value::Number(_) => ("integer", "int64"),
            Value::String(_) => ("string", ""),
            Value::Array(_) => ("array", ""),
            Value::Object(_) => ("object", ""),
        };
        let is_integral = value.as_f64().is_some_and(|float| float.fract() == 0.0) && type_ == "number";
        let fits = schema.allows_type(type_)
            || (is_integral && schema.allows_type("integer"))
            || (type_ == "integer" && schema.allows_type("number"));
        let is_string_or_list = matches!(value, Value::String(_) | Value::Array(_));
        if !is_string_or_list && !schema.format.is_empty() && !fits && format != schema.format {
            return fail(&schema.format, format);
        }
        let is_number = schema.allows_type("number") || schema.allows_type("integer");
        if is_string_or_list && !is_number && !schema.format.is_empty() {
            self.checks += 1;
            return;
        }
        if fits { self.checks += 1 } else { fail(messages::types(schema), type_) }
    }

    fn allowed(&mut self, value: &Value, schema: &Schema, at: &At<'_>) {
        if !schema.allows_value(value) {
            self.add(messages::not_allowed(&at.place, value, &schema.allowed));
        }
    }

    fn string(&mut self, string: &str, value: &Value, schema: &Schema, at: &At<'_>) {
        let range = schema.bounds.length;
        let length = if range.is_unbounded() { 0 } else { string.chars().count() as u64 };
        if let Some(max) = range.violated_max(length) {
            self.add(messages::too_long(&at.place, max));
        } else if let Some(min) = range.violated_min(length) {
            let why = format!("should be at least {min} chars long");
            self.add(messages::wrong(&at.place, value, &at.text(), &why));
        } else if let Some(pattern) = schema.pattern.as_ref().filter(|pattern| !pattern.matches(string)) {
            let why = format!("should match '{}'", pattern.source);
            self.add(messages::wrong(&at.place, value, &at.text(), &why));
        }
        if !schema.format.is_empty() && !format::fits(&schema.format, string) {
            self.add(messages::wrong_type(&at.place, &at.text(), &schema.format, string));
        }
    }

    fn list(&mut self, items: &[Value], schema: &Schema, at: &At<'_>, old: Option<&Value>) {
        if let Some(item_schema) = &schema.items {
            let old = OldItems::of(&schema.list_type, old);
            for (index, item) in items.iter().enumerate() {
                self.value(item, item_schema, &at.step(Place::Item(&at.place, index)), old.of_item(item));
            }
        }
        self.count(items.len(), schema.bounds.items, "items", at);
        let mut seen = HashSet::new();
        if schema.unique_items && !items.iter().all(|item| seen.insert(item.to_string())) {
            self.add(messages::wrong(&at.place, &Value::from(""), &at.text(), "shouldn't contain duplicates"));
        }
        self.checks += 1;
    }

    fn object(&mut self, fields: &Map<String, Value>, schema: &Schema, at: &At<'_>, old: Option<&Value>) {
        self.count(fields.len(), schema.bounds.properties, "properties", at);
        // `apiVersion` and `kind` always equal their old values at this point, so an unchanged value must not hide an error.
        let old_field = |name: &str| {
            old.filter(|_| !(at.place.is_root() && matches!(name, "apiVersion" | "kind"))).and_then(|old| old.get(name))
        };
        if let Some(additional) = &schema.additional {
            for (name, field) in fields.iter().filter(|(name, _)| !schema.properties.contains_key(*name)) {
                self.value(field, additional, &at.step(Place::Member(&at.place, name)), old_field(name));
            }
        }
        for (name, property) in &schema.properties {
            if let Some(field) = fields.get(name) {
                self.value(field, property, &at.step(Place::Member(&at.place, name)), old_field(name));
            }
        }
        for name in schema.required.iter().filter(|name| !fields.contains_key(*name)) {
            self.add(messages::missing(Place::Member(&at.place, name).to_string()));
        }
    }

    /// Checks the number of items or fields; `what` names them.
    fn count(&mut self, count: usize, range: Range, what: &str, at: &At<'_>) {
        if let Some(min) = range.violated_min(count as u64) {
            let why = format!("should have at least {min} {what}");
            self.add(messages::wrong(&at.place, &Value::from(count), &at.text(), &why));
        }
        if let Some(max) = range.violated_max(count as u64) {
            self.add(messages::too_many(&at.place, count, max));
        }
    }
}
