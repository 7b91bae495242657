//! Borrowed paths into an object, formatted only when an error needs them.

use std::fmt;

/// The path of a value in an object.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'p> {
    /// The object itself.
    Root,
    /// A field that the schema declares.
    Member(&'p Place<'p>, &'p str),
    /// An entry of a map.
    Key(&'p Place<'p>, &'p str),
    /// An item of a list.
    Item(&'p Place<'p>, usize),
}

impl Place<'_> {
    /// Returns `true` if this is the object itself.
    pub(crate) fn is_root(&self) -> bool {
        matches!(self, Self::Root)
    }
}

impl fmt::Display for Place<'_> {
    /// Formats the path as field errors show it: `spec.data[key].list[0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Member(Place::Root, name) => f.write_str(name),
            Self::Member(parent, name) => write!(f, "{parent}.{name}"),
            Self::Key(parent, name) => write!(f, "{parent}[{name}]"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
