//! Keys of objects.

/// The path of an object within its kind: `namespace/name`, or only the name.
///
/// Keys are ordered as strings, so `a-b/x` comes before `a/x`, as in the lists of a real server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(String);

impl Key {
    /// Creates a key; `namespace` is empty for a cluster-scoped object.
    pub(crate) fn new(namespace: &str, name: &str) -> Self {
        Self(prefix(namespace) + name)
    }

    /// Creates a key from its string form.
    pub(crate) fn from_text(text: String) -> Self {
        Self(text)
    }

    /// Returns the lower bound of the keys in a namespace; of all keys if the namespace is empty.
    pub(crate) fn first_of(namespace: &str) -> Self {
        Self(prefix(namespace))
    }

    /// Returns the key as a string.
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

/// The kind of an object, by its index, and its key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    /// The index of the kind.
    pub(crate) kind: usize,
    /// The key within the kind.
    pub(crate) key: Key,
}

impl Place {
    /// Creates a place.
    pub(crate) fn new(kind: usize, key: Key) -> Self {
        Self { kind, key }
    }
}
