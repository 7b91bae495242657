//! Parsed structural schemas.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex::Regex;
use serde_json::Value;

use super::format;
use super::rule::Rule;

/// One level of a structural schema.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    /// The type, such as `object` or `string`; empty if any type is allowed.
    pub(crate) type_: String,
    /// Whether both integers and strings are allowed.
    pub(crate) int_or_string: bool,
    /// Whether null is allowed.
    pub(crate) nullable: bool,
    /// The format of a string or number, if it is one that is checked.
    pub(crate) format: String,
    /// The allowed values (`enum`); any value is allowed if this is empty.
    pub(crate) allowed: Vec<Value>,
    /// The pattern that a string must match.
    pub(crate) pattern: Option<Pattern>,
    /// Bounds of numbers, lengths and counts.
    pub(crate) bounds: Bounds,
    /// Whether the items of a list must be unique.
    pub(crate) unique: bool,
    /// The required fields, in the order of the schema.
    pub(crate) required: Vec<String>,
    /// The declared fields (`properties`).
    pub(crate) members: BTreeMap<String, Node>,
    /// The schema of all other fields (`additionalProperties`).
    pub(crate) others: Option<Box<Node>>,
    /// The schema of the items of a list.
    pub(crate) items: Option<Box<Node>>,
    /// Combinations of schemas.
    pub(crate) combined: Combined,
    /// The list type.
    pub(crate) list: List,
    /// Whether the value is an embedded resource, with its own `apiVersion`, `kind` and metadata.
    pub(crate) is_resource: bool,
    /// The validation rules (`x-kubernetes-validations`) of the value.
    pub(crate) rules: Vec<Arc<Rule>>,
    /// Whether this schema or a nested one has validation rules.
    pub(crate) has_rules: bool,
}

/// A regular expression with its source.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// The source.
    pub(crate) text: String,
    /// The compiled expression; `None` if it cannot be compiled, in which case any string matches.
    pub(crate) regex: Option<Regex>,
}

/// Bounds of numbers, lengths and counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bounds {
    /// The smallest number, and whether it is excluded.
    pub(crate) minimum: Option<(f64, bool)>,
    /// The largest number, and whether it is excluded.
    pub(crate) maximum: Option<(f64, bool)>,
    /// The number that a value must be a multiple of.
    pub(crate) multiple_of: Option<f64>,
    /// The minimum and maximum length of a string, in characters.
    pub(crate) length: (Option<u64>, Option<u64>),
    /// The minimum and maximum number of items of a list.
    pub(crate) items: (Option<u64>, Option<u64>),
    /// The minimum and maximum number of fields of an object.
    pub(crate) members: (Option<u64>, Option<u64>),
}

/// Combinations of schemas.
#[derive(Debug, Clone, Default)]
pub(crate) struct Combined {
    /// At least one of these schemas must match (`anyOf`).
    pub(crate) any: Vec<Node>,
    /// Exactly one of these schemas must match (`oneOf`).
    pub(crate) one: Vec<Node>,
    /// All of these schemas must match (`allOf`).
    pub(crate) all: Vec<Node>,
    /// This schema must not match (`not`).
    pub(crate) not: Option<Box<Node>>,
}

/// The type of a list (`x-kubernetes-list-type`): how its items are identified.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum List {
    /// The list is one value; items have no identity.
    #[default]
    Atomic,
    /// Items are identified by their value.
    Set,
    /// Items are objects and identified by these keys.
    Map(Vec<String>),
}

impl Node {
    /// Parses a schema.
    pub(crate) fn read(schema: &Value) -> Self {
        let text = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
        let flag = |name: &str| schema.get(name) == Some(&Value::Bool(true));
        let list = |name: &str| schema.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let texts = |name: &str| list(name).iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
        let nodes = |name: &str| list(name).iter().map(Self::read).collect::<Vec<_>>();
        let nested = |name: &str| schema.get(name).filter(|nested| nested.is_object()).map(|n| Box::new(Self::read(n)));
        let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let int_or_string = flag("x-kubernetes-int-or-string");
        let mut node = Self {
            type_: text("type").to_owned(),
            int_or_string,
            nullable: flag("nullable"),
            format: format::checked(if int_or_string { "" } else { text("type") }, text("format")).to_owned(),
            allowed: list("enum"),
            pattern: Some(text("pattern")).filter(|text| !text.is_empty()).map(Pattern::new),
            bounds: Bounds::read(schema),
            unique: flag("uniqueItems"),
            required: texts("required"),
            members: members.map(|(name, member)| (name.clone(), Self::read(member))).collect(),
            others: nested("additionalProperties"),
            items: nested("items"),
            combined: Combined { any: nodes("anyOf"), one: nodes("oneOf"), all: nodes("allOf"), not: nested("not") },
            list: match text("x-kubernetes-list-type") {
                "set" => List::Set,
                "map" => List::Map(texts("x-kubernetes-list-map-keys")),
                _ => List::Atomic,
            },
            is_resource: flag("x-kubernetes-embedded-resource"),
            rules: list("x-kubernetes-validations").iter().map(|rule| Arc::new(Rule::read(rule))).collect(),
            has_rules: false,
        };
        let mut nested = node.members.values().chain(node.others.as_deref()).chain(node.items.as_deref());
        node.has_rules = !node.rules.is_empty() || nested.any(|nested| nested.has_rules);
        node
    }

    /// Returns `true` if the schema restricts the type.
    pub(crate) fn is_typed(&self) -> bool {
        self.int_or_string || !self.type_.is_empty()
    }

    /// Returns `true` if the schema allows a type.
    pub(crate) fn takes(&self, type_: &str) -> bool {
        if self.int_or_string { matches!(type_, "integer" | "string") } else { self.type_ == type_ }
    }

    /// Returns the allowed types as messages show them.
    pub(crate) fn types(&self) -> &str {
        if self.int_or_string { "integer,string" } else { &self.type_ }
    }
}

impl Pattern {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), regex: Regex::new(text).ok() }
    }
}

impl Bounds {
    fn read(schema: &Value) -> Self {
        let flag = |name: &str| schema.get(name) == Some(&Value::Bool(true));
        let number = |name: &str| schema.get(name).and_then(Value::as_f64);
        let count = |name: &str| schema.get(name).and_then(Value::as_u64);
        Self {
            minimum: number("minimum").map(|bound| (bound, flag("exclusiveMinimum"))),
            maximum: number("maximum").map(|bound| (bound, flag("exclusiveMaximum"))),
            multiple_of: number("multipleOf"),
            length: (count("minLength"), count("maxLength")),
            items: (count("minItems"), count("maxItems")),
            members: (count("minProperties"), count("maxProperties")),
        }
    }
}
