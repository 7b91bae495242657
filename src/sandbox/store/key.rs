//! Where an object lies.

/// The path of an object within its kind: `namespace/name`, or only the name.
///
/// The order is that of the texts, so that `a-b/x` comes before `a/x`: that is how a real server lists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(String);

impl Key {
    /// Builds a key; `namespace` is empty for a cluster-scoped object.
    pub(crate) fn new(namespace: &str, name: &str) -> Self {
        Self(prefix(namespace) + name)
    }

    /// Takes a key back from its text.
    pub(crate) fn from_text(text: String) -> Self {
        Self(text)
    }

    /// Returns the first key that objects of a namespace can have; the first of all for an empty namespace.
    pub(crate) fn first_of(namespace: &str) -> Self {
        Self(prefix(namespace))
    }

    /// Returns the text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the namespace; empty for a cluster-scoped object.
    pub(crate) fn namespace(&self) -> &str {
        self.0.split_once('/').map_or("", |(namespace, _)| namespace)
    }

    /// Returns the name.
    pub(crate) fn name(&self) -> &str {
        self.0.split_once('/').map_or(self.0.as_str(), |(_, name)| name)
    }
}

fn prefix(namespace: &str) -> String {
    if namespace.is_empty() { String::new() } else { format!("{namespace}/") }
}

/// An object's kind, by its index, and key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    /// The index of the kind.
    pub(crate) kind: usize,
    /// The key within the kind.
    pub(crate) key: Key,
}

impl Place {
    /// Builds a place.
    pub(crate) fn new(kind: usize, key: Key) -> Self {
        Self { kind, key }
    }
}
