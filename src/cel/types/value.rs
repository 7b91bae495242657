//! One type.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    Bool,
    Bytes,
    Double,
    Duration,
    /// Any type, checked at run time.
    Dyn,
    /// The type of an expression for which an error was reported.
    Error,
    Int,
    Null,
    Text,
    Timestamp,
    Uint,
    /// A library type without parameters.
    Named(&'static str),
    /// A parameter of a function.
    Param(Param),
    List(Arc<Composite>),
    /// Of keys and values.
    Map(Arc<Composite>),
    /// A map with strings as keys, whose fields are known.
    Record(Arc<BTreeMap<String, Type>>),
    Optional(Arc<Composite>),
    /// The type of a type.
    Meta(Arc<Composite>),
}

/// A type parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Param {
    /// In the declaration of a function, by its letter.
    Declared(char),
    /// In an expression, by number.
    Free(u32),
}

/// The parameters of a type.
#[derive(Debug, PartialEq)]
pub(crate) struct Composite {
    params: Vec<Type>,
    size: u32,
}

/// Maximum number of types that one type consists of. Beyond it, parts are treated as [`Type::Dyn`]: types could grow
/// exponentially with the length of an expression, and a check that follows them would not end.
const MAX_SIZE: u32 = 512;

impl Composite {
    fn new(params: Vec<Type>) -> Arc<Self> {
        let size = |params: &[Type]| params.iter().map(Type::size).fold(1, u32::saturating_add);
        let params = if size(&params) > MAX_SIZE { vec![Type::Dyn; params.len()] } else { params };
        let size = size(&params);
        Arc::new(Self { params, size })
    }
}

impl Type {
    pub(crate) fn list(item: Self) -> Self {
        Self::List(Composite::new(vec![item]))
    }

    pub(crate) fn map(key: Self, value: Self) -> Self {
        Self::Map(Composite::new(vec![key, value]))
    }

    pub(crate) fn optional(value: Self) -> Self {
        Self::Optional(Composite::new(vec![value]))
    }

    pub(crate) fn of(type_: Self) -> Self {
        Self::Meta(Composite::new(vec![type_]))
    }

    /// The type `type` itself.
    pub(crate) fn any_type() -> Self {
        Self::Meta(Composite::new(Vec::new()))
    }

    fn size(&self) -> u32 {
        match self {
            Self::List(of) | Self::Map(of) | Self::Optional(of) | Self::Meta(of) => of.size,
            _ => 1,
        }
    }

    /// Returns the parameters of the type, in order.
    pub(crate) fn params(&self) -> &[Self] {
        match self {
            Self::List(of) | Self::Map(of) | Self::Optional(of) | Self::Meta(of) => &of.params,
            _ => &[],
        }
    }

    /// Returns the type with other parameters.
    pub(crate) fn with_params(&self, params: Vec<Self>) -> Self {
        match self {
            Self::List(_) => Self::List(Composite::new(params)),
            Self::Map(_) => Self::Map(Composite::new(params)),
            Self::Optional(_) => Self::Optional(Composite::new(params)),
            Self::Meta(_) => Self::Meta(Composite::new(params)),
            other => other.clone(),
        }
    }

    pub(crate) fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn)
    }

    pub(crate) fn is_dyn_or_error(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }

    /// Returns `true` if two types are of the same kind, ignoring their parameters.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(a), Self::Named(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Returns the type inside an optional and `true`, or the type itself and `false`.
    pub(crate) fn unwrapped(&self) -> (&Self, bool) {
        match (self, self.params()) {
            (Self::Optional(_), [inner]) => (inner, true),
            _ => (self, false),
        }
    }

    /// Returns the name of the type at run time.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Bytes => "bytes",
            Self::Double => "double",
            Self::Duration => "google.protobuf.Duration",
            Self::Dyn => "dyn",
            Self::Error => "error",
            Self::Int => "int",
            Self::Null => "null_type",
            Self::Text => "string",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Uint => "uint",
            Self::Named(name) => name,
            Self::Param(_) => "",
            Self::List(_) => "list",
            Self::Map(_) | Self::Record(_) => "map",
            Self::Optional(_) => "optional_type",
            Self::Meta(_) => "type",
        }
    }
}

/// Displays as in the checker's messages.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration => return f.write_str("duration"),
            Self::Timestamp => return f.write_str("timestamp"),
            Self::Error => return f.write_str("!error!"),
            Self::Null => return f.write_str("null"),
            Self::Param(Param::Declared(letter)) => return write!(f, "{letter}"),
            Self::Param(Param::Free(number)) => return write!(f, "_var{number}"),
            _ => f.write_str(self.name())?,
        }
        for (at, param) in self.params().iter().enumerate() {
            write!(f, "{}{param}", if at == 0 { "(" } else { ", " })?;
        }
        f.write_str(if self.params().is_empty() { "" } else { ")" })
    }
}
