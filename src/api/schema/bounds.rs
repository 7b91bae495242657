//! The bounds of a schema: of numbers, of lengths and of counts.

use serde_json::Value;

/// Bounds of numbers, lengths and counts.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    /// The minimum of a number.
    pub minimum: Option<Limit>,
    /// The maximum of a number.
    pub maximum: Option<Limit>,
    /// The number that a number must be a multiple of.
    pub multiple_of: Option<f64>,
    /// The length of a string, in characters.
    pub length: Range,
    /// The number of items of a list.
    pub items: Range,
    /// The number of fields of an object.
    pub properties: Range,
}

/// A limit of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The smallest or largest number.
    pub value: f64,
    /// Whether that number itself is excluded.
    pub is_exclusive: bool,
}

/// The range of a length or count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Range {
    /// The minimum, if any.
    pub min: Option<u64>,
    /// The maximum, if any.
    pub max: Option<u64>,
}

impl Bounds {
    pub(super) fn compile(schema: &Value) -> Self {
        let flag = |name: &str| schema.get(name) == Some(&Value::Bool(true));
        let limit = |name: &str, exclusive: &str| {
            let value = schema.get(name).and_then(Value::as_f64)?;
            Some(Limit { value, is_exclusive: flag(exclusive) })
        };
        let range = |min: &str, max: &str| {
            let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
            Range { min: bound(min), max: bound(max) }
        };
        Self {
            minimum: limit("minimum", "exclusiveMinimum"),
            maximum: limit("maximum", "exclusiveMaximum"),
            multiple_of: schema.get("multipleOf").and_then(Value::as_f64),
            length: range("minLength", "maxLength"),
            items: range("minItems", "maxItems"),
            properties: range("minProperties", "maxProperties"),
        }
    }
}

impl Limit {
    /// Creates a limit that is itself allowed.
    pub(super) fn inclusive(value: f64) -> Self {
        Self { value, is_exclusive: false }
    }

    /// Returns `true` if a number is too small for this minimum.
    pub fn is_above(&self, number: f64) -> bool {
        number < self.value || (self.is_exclusive && number <= self.value)
    }

    /// Returns `true` if a number is too large for this maximum.
    pub fn is_below(&self, number: f64) -> bool {
        number > self.value || (self.is_exclusive && number >= self.value)
    }
}

impl Range {
    /// Returns `true` if there is neither a minimum nor a maximum.
    pub fn is_unbounded(&self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// Returns `true` if a count is within the range.
    pub fn contains(&self, count: u64) -> bool {
        self.violated_min(count).is_none() && self.violated_max(count).is_none()
    }

    /// Returns the minimum if a count is below it.
    pub fn violated_min(&self, count: u64) -> Option<u64> {
        self.min.filter(|min| count < *min)
    }

    /// Returns the maximum if a count is above it.
    pub fn violated_max(&self, count: u64) -> Option<u64> {
        self.max.filter(|max| count > *max)
    }
}
