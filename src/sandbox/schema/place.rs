//! Where in an object a value lies, without a text for every step that nobody asks for.

use std::fmt;

/// A place in an object.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'p> {
    /// The object itself.
    Root,
    /// A member that the schema names.
    Member(&'p Place<'p>, &'p str),
    /// A member of a map.
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
    /// Prints the path as errors of fields have it: `spec.data[key].list[0]`.
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
