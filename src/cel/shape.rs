//! What is known about the values of variables before an expression runs.

use std::collections::BTreeMap;

use super::syntax::Name;
use super::types::Type;

/// What is known about a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Nothing: it has any type.
    Any,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// A floating-point number.
    Double,
    /// A string.
    Text,
    /// A list of such items.
    List(Box<Shape>),
    /// A map of strings to such values.
    Map(Box<Shape>),
    /// A map that has no other fields. Each of them may be absent.
    Record(BTreeMap<String, Shape>),
    /// An optional with such a value.
    Optional(Box<Shape>),
    /// Another type, which has no JSON. It has this name.
    Other(&'static str),
}

/// The variables of expressions, with what is known about each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scope(pub(super) BTreeMap<Name, Type>);

impl Scope {
    /// Returns the scope with another variable. It hides one of the same name.
    #[must_use]
    pub fn with(mut self, name: &str, shape: &Shape) -> Self {
        self.0.insert(name.into(), shape.to_type());
        self
    }

    /// Returns `true` if there is a variable of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

impl Shape {
    fn to_type(&self) -> Type {
        match self {
            Self::Any | Self::Other(_) => Type::Dyn,
            Self::Bool => Type::Bool,
            Self::Int => Type::Int,
            Self::Double => Type::Double,
            Self::Text => Type::Text,
            Self::List(item) => Type::list(item.to_type()),
            Self::Map(value) => Type::map(Type::Text, value.to_type()),
            Self::Record(fields) => {
                let fields = fields.iter().map(|(name, field)| (name.clone(), field.to_type()));
                Type::Record(fields.collect::<BTreeMap<_, _>>().into())
            }
            Self::Optional(value) => Type::optional(value.to_type()),
        }
    }

    /// Returns the shape of the values of a type.
    pub(super) fn of(type_: &Type) -> Self {
        match (type_, type_.params()) {
            (Type::Bool, _) => Self::Bool,
            (Type::Int | Type::Uint, _) => Self::Int,
            (Type::Double, _) => Self::Double,
            (Type::Text, _) => Self::Text,
            (Type::List(_), [item]) => Self::List(Box::new(Self::of(item))),
            (Type::Map(_), [_, value]) => Self::Map(Box::new(Self::of(value))),
            (Type::Record(fields), _) => {
                Self::Record(fields.iter().map(|(name, field)| (name.clone(), Self::of(field))).collect())
            }
            (Type::Optional(_), [value]) => Self::Optional(Box::new(Self::of(value))),
            (Type::Dyn | Type::Error | Type::Null | Type::Param(_), _) => Self::Any,
            (other, _) => Self::Other(other.name()),
        }
    }
}
