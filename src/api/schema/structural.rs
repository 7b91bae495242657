//! Compiled structural schemas.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::Regex;
use serde_json::Value;

use super::bounds::Bounds;
use super::format;
use super::path::Place;
use crate::kubernetes;

/// One level of a structural schema.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// The full name of the Kubernetes definition that replaces this schema; CustomResourceDefinitions have no references.
    pub reference: Option<String>,
    /// The type, such as `object` or `string`; empty if any type is allowed.
    pub type_: String,
    /// Whether both integers and strings are allowed.
    pub int_or_string: bool,
    /// Whether null is allowed.
    pub nullable: bool,
    /// The default of a field that is absent.
    pub default: Option<Value>,
    /// The format of a string or number; empty if it is not one that an API server checks.
    pub format: String,
    /// The allowed values (`enum`); any value is allowed if this is empty.
    pub allowed: Vec<Value>,
    /// The pattern that a string must match.
    pub pattern: Option<Pattern>,
    /// Bounds of numbers, lengths and counts.
    pub bounds: Bounds,
    /// Whether the items of a list must be unique.
    pub unique_items: bool,
    /// The required fields, in the order of the schema.
    pub required: Vec<String>,
    /// The declared fields.
    pub properties: BTreeMap<String, Schema>,
    /// The schema of all other fields (`additionalProperties`).
    pub additional: Option<Box<Schema>>,
    /// Whether fields without a schema are kept.
    pub keeps_unknown: bool,
    /// The schema of the items of a list.
    pub items: Option<Box<Schema>>,
    /// Combinations of schemas.
    pub combined: Combined,
    /// The list type.
    pub list_type: ListType,
    /// Whether the value is an embedded resource, with its own `apiVersion`, `kind` and metadata.
    pub is_embedded_resource: bool,
}

/// A regular expression, compiled when it is first used.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The source of the expression.
    pub source: String,
    regex: OnceLock<Option<Regex>>,
}

/// Combinations of schemas.
#[derive(Debug, Clone, Default)]
pub struct Combined {
    /// At least one of these schemas must match (`anyOf`).
    pub any: Vec<Schema>,
    /// Exactly one of these schemas must match (`oneOf`).
    pub one: Vec<Schema>,
    /// All of these schemas must match (`allOf`).
    pub all: Vec<Schema>,
    /// This schema must not match (`not`).
    pub not: Option<Box<Schema>>,
}

/// The type of a list (`x-kubernetes-list-type`): how its items are identified.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ListType {
    /// The list is one value; items have no identity.
    #[default]
    Atomic,
    /// Items are identified by their value.
    Set,
    /// Items are objects and identified by these keys.
    Map(Vec<String>),
}

impl Schema {
    /// Compiles a schema from its JSON.
    pub fn compile(schema: &Value) -> Self {
        let string = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
        let flag = |name: &str| schema.get(name) == Some(&Value::Bool(true));
        let list = |name: &str| schema.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let strings = |name: &str| list(name).iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
        let schemas = |name: &str| list(name).iter().map(Self::compile).collect::<Vec<_>>();
        let nested = |name: &str| {
            let nested = schema.get(name).filter(|nested| nested.is_object());
            nested.map(|nested| Box::new(Self::compile(nested)))
        };
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let int_or_string = flag("x-kubernetes-int-or-string");
        Self {
            reference: kubernetes::reference(schema).map(str::to_owned),
            type_: string("type").to_owned(),
            int_or_string,
            nullable: flag("nullable"),
            default: schema.get("default").cloned(),
            format: format::checked(if int_or_string { "" } else { string("type") }, string("format")).to_owned(),
            allowed: list("enum").to_vec(),
            pattern: Some(string("pattern")).filter(|source| !source.is_empty()).map(Pattern::new),
            bounds: Bounds::compile(schema),
            unique_items: flag("uniqueItems"),
            required: strings("required"),
            properties: properties.map(|(name, property)| (name.clone(), Self::compile(property))).collect(),
            additional: nested("additionalProperties"),
            keeps_unknown: flag("x-kubernetes-preserve-unknown-fields") || flag("additionalProperties"),
            items: nested("items"),
            combined: Combined {
                any: schemas("anyOf"),
                one: schemas("oneOf"),
                all: schemas("allOf"),
                not: nested("not"),
            },
            list_type: match string("x-kubernetes-list-type") {
                "set" => ListType::Set,
                "map" => ListType::Map(strings("x-kubernetes-list-map-keys")),
                _ => ListType::Atomic,
            },
            is_embedded_resource: flag("x-kubernetes-embedded-resource"),
        }
    }

    /// Returns `true` if the schema restricts the type.
    pub fn is_typed(&self) -> bool {
        self.int_or_string || !self.type_.is_empty()
    }

    /// Returns `true` if the schema allows a type.
    pub fn allows_type(&self, type_: &str) -> bool {
        if self.int_or_string { matches!(type_, "integer" | "string") } else { self.type_ == type_ }
    }

    /// Returns `true` if the schema lists a value, or lists none. 1 equals 1.0.
    pub fn allows_value(&self, value: &Value) -> bool {
        let is_same = |one: &Value| one == value || one.as_f64().is_some_and(|float| value.as_f64() == Some(float));
        self.allowed.is_empty() || self.allowed.iter().any(is_same)
    }

    /// Returns the schema of a field, declared or not; `None` if it has no schema.
    pub fn of_field(&self, name: &str) -> Option<&Self> {
        self.properties.get(name).or(self.additional.as_deref())
    }

    /// Calls a function for each field or item of a value that has a schema, in the order of the value.
    pub fn visit(&self, value: &Value, place: &Place<'_>, mut each: impl FnMut(Place<'_>, &Value, &Self)) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    match (self.properties.get(name), &self.additional) {
                        (Some(schema), _) => each(Place::Member(place, name), field, schema),
                        (None, Some(schema)) => each(Place::Key(place, name), field, schema),
                        _ => {}
                    }
                }
            }
            Value::Array(items) => {
                let Some(schema) = &self.items else { return };
                items.iter().enumerate().for_each(|(index, item)| each(Place::Item(place, index), item, schema));
            }
            _ => {}
        }
    }

    /// Like [`Self::visit`], with mutable fields and items.
    pub fn visit_mut(&self, value: &mut Value, mut each: impl FnMut(&mut Value, &Self)) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields.iter_mut() {
                    if let Some(schema) = self.of_field(name) {
                        each(field, schema);
                    }
                }
            }
            Value::Array(items) => {
                let Some(schema) = &self.items else { return };
                items.iter_mut().for_each(|item| each(item, schema));
            }
            _ => {}
        }
    }
}

impl Pattern {
    pub(super) fn new(source: &str) -> Self {
        Self { source: source.to_owned(), regex: OnceLock::new() }
    }

    /// Returns `true` if the expression is one that `regex` supports.
    pub fn is_valid(&self) -> bool {
        self.regex.get_or_init(|| Regex::new(&self.source).ok()).is_some()
    }

    /// Returns `true` if a string matches. Any string matches an expression that `regex` does not support, because that is not an
    /// error of the string.
    pub fn matches(&self, string: &str) -> bool {
        let regex = self.regex.get_or_init(|| Regex::new(&self.source).ok());
        regex.as_ref().is_none_or(|regex| regex.is_match(string))
    }
}

impl ListType {
    /// Returns the fields that identify an item of a list of type `map`; empty for other lists.
    pub fn keys(&self) -> &[String] {
        match self {
            Self::Map(keys) => keys,
            _ => &[],
        }
    }
}
