//! Validation of an object against its schema, without the CEL rules.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::node::{List, Node};
use super::place::Place;
use super::{combine, format, keyed, number, words};
use crate::refusal::Cause;

/// Maximum number of errors that are reported, so that the answer cannot grow without bounds.
const MOST: usize = 1000;

/// The old object of an update, and which part of it the request may change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Update<'a> {
    /// The object before the request.
    pub(crate) old: &'a Value,
    /// Whether the request updates the status subresource, so that only the status is checked.
    pub(crate) status: bool,
}

/// Returns the errors of an object. Errors in values that an update does not change are ignored (validation ratcheting).
pub(crate) fn check(object: &Value, schema: &Node, update: Option<Update<'_>>) -> Vec<Cause> {
    let mut found = Found::default();
    match update {
        // The status is checked like a separate object: the paths in messages are relative to it.
        Some(Update { old, status: true }) => {
            let Some((status, schema)) = object.get("status").zip(schema.members.get("status")) else {
                return Vec::new();
            };
            let root = Place::Root;
            let place = Place::Member(&root, "status");
            found.value(status, schema, &At { place, offset: "status".len() }, old.get("status"));
        }
        _ => found.value(object, schema, &At { place: Place::Root, offset: 0 }, update.map(|update| update.old)),
    }
    found.causes()
}

/// The path of a value, and how many bytes of the path messages leave out.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'p> {
    pub(super) place: Place<'p>,
    pub(super) offset: usize,
}

impl At<'_> {
    /// Returns the path as messages show it.
    pub(super) fn text(&self) -> String {
        let whole = self.place.to_string();
        whole.get(self.offset..).unwrap_or_default().trim_start_matches('.').to_owned()
    }

    fn step<'q>(&self, place: Place<'q>) -> At<'q> {
        At { place, offset: self.offset }
    }
}

/// The errors of a value, and the match count of its schema: if no schema of an `anyOf` or `oneOf` matches, the errors of the
/// schema with the highest count are reported.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) causes: Vec<Cause>,
    pub(super) checks: usize,
}

impl Found {
    pub(super) fn add(&mut self, cause: Cause) {
        if self.causes.len() < MOST {
            self.causes.push(cause);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.causes.is_empty()
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.checks += other.checks;
        other.causes.into_iter().for_each(|cause| self.add(cause));
    }

    fn causes(self) -> Vec<Cause> {
        let mut told = HashSet::new();
        self.causes.into_iter().filter(|cause| told.insert((cause.field.clone(), cause.message.clone()))).collect()
    }

    /// Checks a value; ignores its errors if it is unchanged.
    fn value(&mut self, value: &Value, node: &Node, at: &At<'_>, old: Option<&Value>) {
        let found = Self::of(value, node, at, old);
        if !found.is_empty() && old == Some(value) {
            return;
        }
        self.merge(found);
    }

    /// Checks a value.
    pub(super) fn of(value: &Value, node: &Node, at: &At<'_>, old: Option<&Value>) -> Self {
        let mut found = Self::default();
        if node.is_typed() || !node.format.is_empty() {
            found.type_of(value, node, at);
        }
        if value.is_null() {
            found.allowed(value, node, at);
            return found;
        }
        combine::combined(value, node, at, old, &mut found);
        match value {
            Value::String(text) => found.text(text, value, node, at),
            Value::Number(number) => number::number(number, node, at, &mut found),
            Value::Array(items) => found.list(items, node, at, old),
            _ => {}
        }
        found.allowed(value, node, at);
        if let Value::Object(members) = value {
            found.members(members, node, at, old);
        }
        // Each of the checks above counts once, and so does the value as a whole.
        let of_its_type = match value {
            Value::String(_) => 1 + usize::from(!node.format.is_empty()),
            Value::Number(_) | Value::Array(_) | Value::Object(_) => 1,
            _ => 0,
        };
        found.checks += 3 + of_its_type + usize::from(node.is_typed());
        found
    }

    fn type_of(&mut self, value: &Value, node: &Node, at: &At<'_>) {
        let mut fail = |expected: &str, found: &str| {
            self.add(words::wrong_type(&at.place, &at.text(), expected, found));
        };
        let (type_, format) = match value {
            Value::Null if node.nullable || !node.is_typed() => return,
            Value::Null => return fail(node.types(), "null"),
            Value::Bool(_) => ("boolean", ""),
            Value::Number(number) if number.is_f64() => ("number", "float64"),
            Value::Number(_) => ("integer", "int64"),
            Value::String(_) => ("string", ""),
            Value::Array(_) => ("array", ""),
            Value::Object(_) => ("object", ""),
        };
        let whole = value.as_f64().is_some_and(|float| float.fract() == 0.0) && type_ == "number";
        let fits =
            node.takes(type_) || (whole && node.takes("integer")) || (type_ == "integer" && node.takes("number"));
        let is_text = matches!(value, Value::String(_) | Value::Array(_));
        if !is_text && !node.format.is_empty() && !fits && format != node.format {
            return fail(&node.format, format);
        }
        let is_number = node.takes("number") || node.takes("integer");
        if is_text && !is_number && !node.format.is_empty() {
            self.checks += 1;
            return;
        }
        if fits { self.checks += 1 } else { fail(node.types(), type_) }
    }

    fn allowed(&mut self, value: &Value, node: &Node, at: &At<'_>) {
        if !node.allowed.is_empty() && !node.allowed.iter().any(|allowed| is_same(allowed, value)) {
            self.add(words::not_allowed(&at.place, value, &node.allowed));
        }
    }

    fn text(&mut self, text: &str, value: &Value, node: &Node, at: &At<'_>) {
        let (least, most) = node.bounds.length;
        let length = if least.is_some() || most.is_some() { text.chars().count() as u64 } else { 0 };
        let pattern = node.pattern.as_ref();
        if let Some(most) = most.filter(|most| length > *most) {
            self.add(words::too_long(&at.place, most));
        } else if let Some(least) = least.filter(|least| length < *least) {
            let why = format!("should be at least {least} chars long");
            self.add(words::wrong(&at.place, value, &at.text(), &why));
        } else if let Some(pattern) = pattern.filter(|p| p.regex.as_ref().is_some_and(|regex| !regex.is_match(text))) {
            let why = format!("should match '{}'", pattern.text);
            self.add(words::wrong(&at.place, value, &at.text(), &why));
        }
        if !node.format.is_empty() && !format::fits(&node.format, text) {
            self.add(words::wrong_type(&at.place, &at.text(), &node.format, text));
        }
    }

    fn list(&mut self, items: &[Value], node: &Node, at: &At<'_>, old: Option<&Value>) {
        if let Some(schema) = &node.items {
            let old = keyed::Former::of(&node.list, old);
            for (index, item) in items.iter().enumerate() {
                self.value(item, schema, &at.step(Place::Item(&at.place, index)), old.of_item(item));
            }
        }
        let (least, most) = node.bounds.items;
        let count = items.len();
        if let Some(least) = least.filter(|least| (count as u64) < *least) {
            let why = format!("should have at least {least} items");
            self.add(words::wrong(&at.place, &Value::from(count), &at.text(), &why));
        }
        if let Some(most) = most.filter(|most| count as u64 > *most) {
            self.add(words::too_many(&at.place, count, most));
        }
        let mut seen = HashSet::new();
        if node.unique && !items.iter().all(|item| seen.insert(item.to_string())) {
            self.add(words::wrong(&at.place, &Value::from(""), &at.text(), "shouldn't contain duplicates"));
        }
        self.checks += 1;
    }

    fn members(&mut self, members: &Map<String, Value>, node: &Node, at: &At<'_>, old: Option<&Value>) {
        let (least, most) = node.bounds.members;
        let count = members.len();
        if let Some(least) = least.filter(|least| (count as u64) < *least) {
            let why = format!("should have at least {least} properties");
            self.add(words::wrong(&at.place, &Value::from(count), &at.text(), &why));
        }
        if let Some(most) = most.filter(|most| count as u64 > *most) {
            self.add(words::too_many(&at.place, count, most));
        }
        // `apiVersion` and `kind` always equal their old values at this point, so an unchanged value must not hide an error.
        let former = |name: &str| {
            old.filter(|_| !(at.place.is_root() && matches!(name, "apiVersion" | "kind"))).and_then(|old| old.get(name))
        };
        if let Some(schema) = &node.others {
            for (name, member) in members.iter().filter(|(name, _)| !node.members.contains_key(*name)) {
                self.value(member, schema, &at.step(Place::Member(&at.place, name)), former(name));
            }
        }
        for (name, schema) in &node.members {
            if let Some(member) = members.get(name) {
                self.value(member, schema, &at.step(Place::Member(&at.place, name)), former(name));
            }
        }
        for name in node.required.iter().filter(|name| !members.contains_key(*name)) {
            self.add(words::missing(Place::Member(&at.place, name).to_string()));
        }
    }
}

/// Returns `true` if two values are equal; 1 equals 1.0.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some_and(|float| other.as_f64() == Some(float))
}

/// Returns the keys of a list of type `map`; `None` for other lists.
pub(super) fn map_keys(list: &List) -> Option<&[String]> {
    match list {
        List::Map(keys) => Some(keys),
        _ => None,
    }
}
