//! Validates a value against a schema, and reports each error with its path and what is expected.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use super::pattern;

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Into a field of an object.
    Member(String),
    /// Into an item of a list.
    Item(usize),
}

/// The path from the root of a value to an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// Returns the path extended by a field.
    pub fn member(&self, name: &str) -> Self {
        self.step(Step::Member(name.to_owned()))
    }

    /// Returns the path extended by an item.
    pub fn item(&self, index: usize) -> Self {
        self.step(Step::Item(index))
    }

    fn step(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }
}

impl fmt::Display for Path {
    /// Prints the path as Kubernetes does: `spec.placements[0].name`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Member(name) if i == 0 => f.write_str(name)?,
                Step::Member(name) => write!(f, ".{name}")?,
                Step::Item(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// An error at one path.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
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

/// Validates a value against a schema. Returns all errors, in the order of the value.
///
/// Fields that the schema would prune are errors too.
pub fn faults(value: &Value, schema: &Value) -> Vec<(Path, Fault)> {
    let mut found = Vec::new();
    Walk { values: true, found: &mut found }.value(value, schema, &Path::default(), true);
    found
}

/// Returns the errors that a decoder would report, in the order of the value: fields that the schema would prune, and fields of the
/// wrong type.
pub fn misfits(value: &Value, schema: &Value) -> Vec<(Path, Fault)> {
    let mut found = Vec::new();
    Walk { values: false, found: &mut found }.value(value, schema, &Path::default(), true);
    found.retain(|(_, fault)| matches!(fault, Fault::Unknown { .. } | Fault::Type { .. }));
    found
}

struct Walk<'a> {
    /// Whether values are checked, and not only their types.
    values: bool,
    found: &'a mut Vec<(Path, Fault)>,
}

fn flag(schema: &Value, name: &str) -> bool {
    schema.get(name) == Some(&Value::Bool(true))
}

fn strings(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
}

impl Walk<'_> {
    fn fault(&mut self, path: &Path, fault: Fault) {
        self.found.push((path.clone(), fault));
    }

    fn value(&mut self, value: &Value, schema: &Value, path: &Path, root: bool) {
        if value.is_null() && flag(schema, "nullable") {
            return;
        }
        if !self.has_type(value, schema, path) {
            return;
        }
        if self.values
            && let Some(allowed) = schema.get("enum").and_then(Value::as_array)
            && !allowed.contains(value)
        {
            self.fault(path, Fault::NotOneOf { allowed: allowed.clone() });
        }
        match value {
            Value::String(text) if self.values => self.text(text, schema, path),
            Value::Number(number) if self.values => self.number(number.as_f64().unwrap_or(0.0), schema, path),
            Value::Array(items) => self.list(items, schema, path),
            Value::Object(members) => self.members(members, schema, path, root),
            _ => {}
        }
    }

    fn has_type(&mut self, value: &Value, schema: &Value, path: &Path) -> bool {
        let is_integer =
            |n: &serde_json::Number| n.is_i64() || n.is_u64() || n.as_f64().is_some_and(|f| f.fract() == 0.0);
        let (fits, expected) = if flag(schema, "x-kubernetes-int-or-string") {
            (value.is_string() || value.as_number().is_some_and(is_integer), "integer or string")
        } else {
            let Some(expected) = schema.get("type").and_then(Value::as_str) else { return true };
            let fits = match expected {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.as_number().is_some_and(is_integer),
                "number" => value.is_number(),
                _ => true,
            };
            (fits, expected)
        };
        if !fits {
            self.fault(path, Fault::Type { expected: expected.to_owned() });
        }
        fits
    }

    fn text(&mut self, text: &str, schema: &Value, path: &Path) {
        let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
        let (min, max) = (bound("minLength"), bound("maxLength"));
        let length = text.chars().count() as u64;
        if min.is_some_and(|min| length < min) || max.is_some_and(|max| length > max) {
            self.fault(path, Fault::Length { min, max });
        }
        // A pattern of a foreign CRD that `regex` does not support is not an error of the value.
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
            && pattern::matches(pattern, text) == Some(false)
        {
            self.fault(path, Fault::Pattern { pattern: pattern.to_owned() });
        }
    }

    fn number(&mut self, number: f64, schema: &Value, path: &Path) {
        let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
        let (mut min, mut max) = (bound("minimum"), bound("maximum"));
        if schema.get("format").and_then(Value::as_str) == Some("int32") {
            min = min.or(Some(f64::from(i32::MIN)));
            max = max.or(Some(f64::from(i32::MAX)));
        }
        if min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max) {
            self.fault(path, Fault::Range { min, max });
        }
    }

    fn list(&mut self, items: &[Value], schema: &Value, path: &Path) {
        let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
        let (min, max) = (bound("minItems"), bound("maxItems"));
        let length = items.len() as u64;
        if min.is_some_and(|min| length < min) || max.is_some_and(|max| length > max) {
            self.fault(path, Fault::Length { min, max });
        }
        if let Some(item_schema) = schema.get("items") {
            for (i, item) in items.iter().enumerate() {
                self.value(item, item_schema, &path.item(i), false);
            }
        }
        if schema.get("x-kubernetes-list-type").and_then(Value::as_str) == Some("map") {
            self.unique(items, schema, path);
        }
    }

    fn unique(&mut self, items: &[Value], schema: &Value, path: &Path) {
        let keys = strings(schema.get("x-kubernetes-list-map-keys"));
        let key_of = |item: &Value| -> Vec<Value> {
            let default = |key: &str| schema.pointer(&format!("/items/properties/{key}/default")).cloned();
            keys.iter().map(|key| item.get(key).cloned().or_else(|| default(key)).unwrap_or(Value::Null)).collect()
        };
        // As strings, because values have neither order nor hash; a list of 100,000 items must not take quadratic time.
        let mut seen = BTreeSet::new();
        for (i, item) in items.iter().enumerate() {
            if !seen.insert(Value::Array(key_of(item)).to_string()) {
                self.fault(&path.item(i), Fault::DuplicateKey { keys: keys.clone() });
            }
        }
    }

    fn members(&mut self, members: &serde_json::Map<String, Value>, schema: &Value, path: &Path, root: bool) {
        let properties = schema.get("properties");
        let additional = schema.get("additionalProperties");
        let is_resource = root || flag(schema, "x-kubernetes-embedded-resource");
        let open = flag(schema, "x-kubernetes-preserve-unknown-fields") || additional.is_some();
        for name in strings(schema.get("required")) {
            // An API server fills in defaults before it checks for missing fields.
            let has_default = properties.and_then(|p| p.get(&name)?.get("default")).is_some();
            if !members.contains_key(&name) && !has_default {
                self.fault(&path.member(&name), Fault::Missing);
            }
        }
        for (name, member) in members {
            if is_resource && matches!(name.as_str(), "apiVersion" | "kind" | "metadata") {
                continue;
            }
            let at = path.member(name);
            match (properties.and_then(|p| p.get(name)), additional) {
                // An API server drops a meaningless null.
                (Some(_), _) if member.is_null() => {}
                (Some(property), _) => self.value(member, property, &at, false),
                (None, Some(additional @ Value::Object(_))) => self.value(member, additional, &at, false),
                (None, _) if open || (properties.is_none() && schema.get("type").is_none()) => {}
                (None, _) => {
                    let known = properties.and_then(Value::as_object).into_iter().flatten();
                    let known = known.map(|(name, _)| name.clone()).collect();
                    self.fault(&at, Fault::Unknown { known });
                }
            }
        }
    }
}
