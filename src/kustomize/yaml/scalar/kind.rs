//! The types and the styles of scalars.

/// The type of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Null.
    Null,
    /// True or false.
    Bool,
    /// A number that was written as an integer.
    Integer,
    /// Another number.
    Float,
    /// A date, or a date with a time. Finally becomes a string.
    Timestamp,
    /// A string.
    String,
}

/// The style in which a scalar was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Without quotes.
    #[default]
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// As a literal block (`|`).
    Literal,
    /// As a folded block (`>`).
    Folded,
}
