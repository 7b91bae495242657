//! What a Go variable holds.

use std::collections::BTreeMap;

use super::shape::Type;
use tidegate_go::json::Json;

/// What a variable of some Go type holds. A pointer to something holds what that holds.
#[derive(Debug, Clone)]
pub(super) enum Held<'a> {
    /// No pointer, slice or map.
    Nil,
    Text(String),
    Flag(bool),
    Integer(i64),
    Bytes(Vec<u8>),
    /// The text that a quantity was read from.
    Quantity(String),
    /// An instant; which one makes no difference.
    Time,
    /// Any JSON; none stands for `null`.
    Raw(Option<&'a Json<'a>>),
    List(List<'a>),
    Map(BTreeMap<String, Held<'a>>),
    /// The fields in their order.
    Struct(Vec<Held<'a>>),
}

/// A slice: its first items, and behind them those of an earlier, longer list, which Go finds again if it grows.
#[derive(Debug, Clone, Default)]
pub(super) struct List<'a> {
    pub(super) items: Vec<Held<'a>>,
    pub(super) length: usize,
}

impl Held<'_> {
    /// Returns what a variable holds before anything is read into it.
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

    /// Returns `true` if Go leaves the value out of a struct that says so.
    pub(super) fn is_empty(&self, of: &Type) -> bool {
        match self {
            Self::Nil => true,
            // What a pointer points to is there, empty or not.
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
