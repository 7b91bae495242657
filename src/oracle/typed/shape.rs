//! Describes Go's types, as far as reading and writing JSON needs it.

use std::fmt;

/// A Go type.
#[derive(Debug)]
pub(crate) enum Type {
    /// A string type of that name.
    Text(&'static str),
    /// `bool`.
    Flag,
    /// `int64`.
    Int64,
    /// Bytes, as base64.
    Bytes,
    /// `resource.Quantity`.
    Quantity,
    /// `metav1.Time`.
    Time,
    /// Any JSON, kept as it is.
    Raw,
    /// A pointer.
    Pointer(&'static Type),
    /// A slice.
    List(&'static Type),
    /// A map from strings, by its name.
    Map(&'static str, &'static Type),
    /// A struct.
    Struct(&'static Struct),
}

/// A Go struct.
#[derive(Debug)]
pub(crate) struct Struct {
    /// Its name, including the package.
    pub(super) name: &'static str,
    pub(super) fields: &'static [Field],
}

impl Struct {
    /// Returns the name without the package.
    pub(super) fn short_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }

    /// Returns the position of the field with that JSON name. Case matters.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }
}

/// A field of a Go struct.
#[derive(Debug)]
pub(super) struct Field {
    /// Its JSON name.
    pub(super) name: &'static str,
    /// Its path in Go's messages: its name, after that of an embedded struct if it comes from one.
    pub(super) path: &'static str,
    pub(super) of: Type,
    /// Whether it is left out if it is empty. A struct never is.
    pub(super) omit_empty: bool,
}

/// A field that is always written.
pub(super) const fn always(name: &'static str, of: Type) -> Field {
    Field { name, path: name, of, omit_empty: false }
}

/// A field that is left out if it is empty.
pub(super) const fn given(name: &'static str, of: Type) -> Field {
    Field { name, path: name, of, omit_empty: true }
}

/// `string`.
pub(super) const STRING: Type = Type::Text("string");

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(name) | Self::Map(name, _) => f.write_str(name),
            Self::Flag => f.write_str("bool"),
            Self::Int64 => f.write_str("int64"),
            Self::Bytes => f.write_str("[]uint8"),
            Self::Quantity => f.write_str("resource.Quantity"),
            Self::Time => f.write_str("v1.Time"),
            Self::Raw => f.write_str("v1.Manifest"),
            Self::Pointer(to) => write!(f, "*{to}"),
            Self::List(item) => write!(f, "[]{item}"),
            Self::Struct(of) => f.write_str(of.name),
        }
    }
}
