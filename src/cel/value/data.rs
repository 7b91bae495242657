//! The types of values.

use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::Deref;
use std::rc::Rc;

use serde_json::{Map as JsonMap, Value as Json};

use super::named_format::NamedFormat;
use super::url::Url;
use super::version::Version;
use crate::syntax::Literal;
use crate::time::Timestamp;
use tidegate_go::quantity::Quantity;

/// A value. Data of the cluster and of the expression is borrowed.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Str<'a>),
    Bytes(Rc<[u8]>),
    /// In nanoseconds.
    Duration(i64),
    Timestamp(Timestamp),
    List(List<'a>),
    Map(Map<'a>),
    /// A type, by its name.
    Type(&'static str),
    Optional(Option<Rc<Value<'a>>>),
    /// A quantity, and whether it was computed: upstream's comparison accepts a computed one only on its left side.
    Quantity(Rc<Quantity>, bool),
    Ip(IpAddr),
    Cidr(Cidr),
    Url(Rc<Url>),
    Version(Rc<Version>),
    Format(&'static NamedFormat),
}

/// A block of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Cidr {
    pub(crate) address: IpAddr,
    pub(crate) bits: u8,
}

/// A string.
#[derive(Debug, Clone)]
pub(crate) enum Str<'a> {
    Borrowed(&'a str),
    Shared(Rc<str>),
}

/// A list.
#[derive(Debug, Clone)]
pub(crate) enum List<'a> {
    /// From the cluster.
    Json(&'a [Json]),
    Built(Rc<[Value<'a>]>),
    /// Concatenated from two lists: upstream compares such a list more strictly.
    Joined(Rc<[Value<'a>]>),
    /// The list that a loop collects into. As upstream, adding to it changes every copy of it.
    Growing(Rc<RefCell<Vec<Value<'a>>>>),
}

/// A map.
#[derive(Debug, Clone)]
pub(crate) enum Map<'a> {
    /// From the cluster.
    Json(&'a JsonMap<String, Json>),
    Built(Rc<Built<'a>>),
}

/// A map built by an expression, in insertion order.
#[derive(Debug, Default)]
pub(crate) struct Built<'a> {
    pub(super) entries: Vec<(Value<'a>, Value<'a>)>,
    pub(super) places: HashMap<Key, usize>,
}

/// A hashable key of an entry.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(u64),
    String(Rc<str>),
    Duration(i64),
    Timestamp(i64, i32),
    Type(&'static str),
    Ip(IpAddr),
    Cidr(Cidr),
}

impl Deref for Str<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl<'a> Value<'a> {
    /// Creates a string.
    pub(crate) fn string(text: impl Into<Rc<str>>) -> Self {
        Self::String(Str::Shared(text.into()))
    }

    /// Creates a list of items.
    pub(crate) fn list(items: Vec<Self>) -> Self {
        Self::List(List::of(items))
    }

    /// Creates an optional with a value.
    pub(crate) fn some(value: Self) -> Self {
        Self::Optional(Some(Rc::new(value)))
    }

    /// The optional without a value.
    pub(crate) const NONE: Self = Self::Optional(None);

    /// Returns the value of a constant.
    pub(crate) fn constant(literal: &'a Literal) -> Self {
        match literal {
            Literal::Null => Self::Null,
            Literal::Bool(value) => Self::Bool(*value),
            Literal::Int(value) => Self::Int(*value),
            Literal::Uint(value) => Self::Uint(*value),
            Literal::Double(value) => Self::Double(*value),
            Literal::String(text) => Self::String(Str::Borrowed(text)),
            Literal::Bytes(bytes) => Self::Bytes(Rc::from(&**bytes)),
        }
    }

    /// Returns the name of the type of the value.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Type(_) => "type",
            Self::Optional(_) => "optional_type",
            Self::Quantity(..) => "kubernetes.Quantity",
            Self::Ip(_) => "net.IP",
            Self::Cidr(_) => "net.CIDR",
            Self::Url(_) => "kubernetes.URL",
            Self::Version(_) => "kubernetes.Semver",
            Self::Format(_) => "kubernetes.NamedFormat",
        }
    }

    /// Returns the size of the value, if its type has a size.
    pub(crate) fn size(&self) -> Option<u64> {
        let size = match self {
            Self::String(text) => text.chars().count(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.len(),
            Self::Map(map) => map.len(),
            _ => return None,
        };
        Some(size as u64)
    }

    /// Returns the size of the value for cost accounting.
    pub(crate) fn cost_size(&self) -> u64 {
        match self {
            Self::Ip(address) => {
                if address.is_ipv4() {
                    4
                } else {
                    16
                }
            }
            Self::Cidr(cidr) => u64::from(cidr.bits).div_ceil(8),
            Self::Optional(Some(value)) => value.cost_size(),
            other => other.size().unwrap_or(1),
        }
    }

    /// Returns `true` if the value is the zero value of its type.
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(value) => !value,
            Self::Int(value) => *value == 0,
            Self::Uint(value) => *value == 0,
            Self::Double(value) => *value == 0.0,
            Self::Duration(value) => *value == 0,
            Self::Timestamp(timestamp) => timestamp.is_zero(),
            Self::String(_) | Self::Bytes(_) | Self::List(_) | Self::Map(_) => self.size() == Some(0),
            _ => false,
        }
    }
}
