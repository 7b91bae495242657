//! The values of Go variables.

use std::collections::BTreeMap;

use super::shape::Type;
use tidegate_go::json::Json;

/// The value of a variable of some Go type. A pointer is represented by what it points to.
#[derive(Debug, Clone)]
pub(super) enum Held<'a> {
    /// A nil pointer, slice or map.
    Nil,
    Text(String),
    Flag(bool),
    Integer(i64),
    Bytes(Vec<u8>),
    /// A quantity in its canonical form.
    Quantity(String),
    /// An instant; which one makes no difference.
    Time,
    /// Any JSON; `None` represents `null`.
    Raw(Option<&'a Json<'a>>),
    List(List<'a>),
    Map(BTreeMap<String, Held<'a>>),
    /// The fields in their order.
    Struct(Vec<Held<'a>>),
}

/// A slice: its first `length` items, and after them those of an earlier, longer list, which Go finds again if it
/// grows.
#[derive(Debug, Clone, Default)]
pub(super) struct List<'a> {
    pub(super) items: Vec<Held<'a>>,
    pub(super) length: usize,
}

impl Held<'_> {
    /// Returns the value of a variable before anything is read into it.
    pub(super) fn zero(of: &Type) -> Self {
        match of {
            Type::Text(_) => Self::Text(String::new()),
            Type::Flag => Self::Flag(false),
            Type::Int64 => Self::Integer(0),
            Type::Quantity => Self::Quantity("0".to_owned()),
            Type::Time => Self::Time,
            Type::Raw => Self::Raw(None),
            Type::Pointer(_) | Type::List(_) | Type::Map(..) | Type::Bytes => Self::Nil,
            Type::Struct(of) => Self::Struct(of.fields.iter().map(|field| Self::zero(&field.of)).collect()),
        }
    }

    /// Returns `true` if Go leaves the value out of a field with `omitempty`.
    pub(super) fn is_empty(&self, of: &Type) -> bool {
        match self {
            Self::Nil => true,
            // A pointer that is not nil is not empty, whatever it points to.
            _ if matches!(of, Type::Pointer(_)) => false,
            Self::Text(text) => text.is_empty(),
            Self::Flag(flag) => !flag,
            Self::Integer(number) => *number == 0,
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::List(list) => list.length == 0,
            Self::Map(members) => members.is_empty(),
            Self::Quantity(_) | Self::Time | Self::Raw(_) | Self::Struct(_) => false,
        }
    }
}
