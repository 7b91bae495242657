//! The values of vars.

use std::sync::Arc;

use tidegate_go::float;

use crate::yaml::{Kind, Node, Origin, Scalar, Style};

/// The value of a var.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(Arc<str>),
    Integer(i64),
    Float(f64),
    Bool(bool),
    /// A list or a mapping, which nothing can be set to.
    Collection,
}

impl Value {
    /// Reads the value of a field. Null is the string that was written. Returns `None` for numbers that Go's `strconv` does not
    /// parse, such as `0x1F`.
    ///
    /// # Source
    /// kyaml `RNode.GetFieldValue`.
    pub(super) fn of(node: &Node) -> Option<Self> {
        let Some(scalar) = node.as_scalar() else { return Some(Self::Collection) };
        let text = scalar.text();
        match scalar.kind() {
            _ if scalar.is_untagged() => Some(Self::Text(Arc::clone(scalar.shared_text()))),
            Kind::Integer => text.parse().ok().map(Self::Integer),
            Kind::Float => text.parse().ok().filter(|float: &f64| float.is_finite()).map(Self::Float),
            Kind::Bool => match text {
                "true" | "True" | "TRUE" => Some(Self::Bool(true)),
                "false" | "False" | "FALSE" => Some(Self::Bool(false)),
                _ => None,
            },
            Kind::String | Kind::Timestamp | Kind::Null => Some(Self::Text(Arc::clone(scalar.shared_text()))),
        }
    }

    /// Appends the value to a string.
    ///
    /// # Source
    /// Go `fmt`, verb `%v`.
    pub(super) fn append_to(&self, text: &mut String) {
        match self {
            Self::Text(value) => text.push_str(value),
            Self::Integer(value) => text.push_str(&value.to_string()),
            Self::Float(value) => text.push_str(&float::format_g(*value)),
            Self::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
            Self::Collection => {}
        }
    }

    /// Returns the value as a scalar of its own type, or `None` for a collection.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Text(value) => Some(Scalar::string(Arc::clone(value))),
            Self::Integer(value) => Some(Scalar::integer(*value)),
            Self::Float(value) => Some(Scalar::read(float::format_f(*value, None).into(), Kind::Float, Style::Plain)),
            Self::Bool(value) => Some(Scalar::boolean(*value)),
            Self::Collection => None,
        }
    }
}

/// A value, and where it is.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) value: Value,
    pub(super) origin: Origin,
    /// Where the var is declared.
    pub(super) declared: Origin,
    /// Whether a reference to it was replaced.
    pub(super) is_used: bool,
}
