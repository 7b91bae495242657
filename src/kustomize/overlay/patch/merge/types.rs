//! The types of a strategic merge: built-in ones, and those of an OpenAPI document.

use super::document::Document;
use super::schema::{self, BuiltinField, BuiltinType};

/// The types that a rendering knows.
#[derive(Debug, Default)]
pub(crate) struct Types {
    /// The document that a kustomization names in `openapi`.
    pub(crate) document: Option<Document>,
    /// Whether the document replaces the built-in types, too.
    pub(crate) hides_builtin: bool,
}

impl Types {
    /// Returns the type of a kind. Lists of other kinds are replaced as a whole.
    pub(crate) fn of_kind(&self, api_version: &str, kind: &str) -> Option<Type<'_>> {
        let known = self
            .document
            .as_ref()
            .and_then(|document| Some(Type::Document(document, document.kind(api_version, kind)?)));
        let builtin = || schema::of_kind(api_version, kind).filter(|_| !self.hides_builtin).map(Type::Builtin);
        known.or_else(builtin)
    }

    /// Returns `true` if the document says that a kind is cluster-scoped.
    pub(crate) fn is_cluster_scoped(&self, api_version: &str, kind: &str) -> bool {
        self.document.as_ref().is_some_and(|document| document.is_cluster_scoped(api_version, kind))
    }
}

/// A type.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Type<'t> {
    Builtin(&'static BuiltinType),
    /// A schema of a document, by its index.
    Document(&'t Document, usize),
}

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Field<'t> {
    /// An object.
    Object(Type<'t>),
    /// A list of objects that are the same if these keys are equal.
    Keyed(Keys<'t>, Option<Type<'t>>),
    /// A list of strings that is a set.
    Set,
}

impl<'t> Type<'t> {
    /// Returns what a field holds, or `None` if no list is merged there or below.
    pub(crate) fn field(self, name: &str) -> Option<Field<'t>> {
        match self {
            Self::Document(document, at) => document.field(at, name),
            Self::Builtin(builtin) => Some(match builtin.field(name)? {
                BuiltinField::Object(kind) => Field::Object(Self::Builtin(kind)),
                BuiltinField::Keyed(keys, kind) => Field::Keyed(Keys::Builtin(keys), kind.map(Self::Builtin)),
                BuiltinField::Set => Field::Set,
            }),
        }
    }
}

/// Merge keys.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Keys<'t> {
    Builtin(&'static [&'static str]),
    Document(&'t [String]),
}

impl<'t> Keys<'t> {
    /// One empty key, for lists of strings.
    pub(crate) const SET: Self = Self::Builtin(&[""]);

    /// Returns the key, if there is only one.
    pub(crate) fn single(self) -> Option<&'t str> {
        match self {
            Self::Builtin([key]) => Some(key),
            Self::Document([key]) => Some(key),
            _ => None,
        }
    }

    /// Returns the keys.
    pub(crate) fn to_vec(self) -> Vec<&'t str> {
        match self {
            Self::Builtin(keys) => keys.to_vec(),
            Self::Document(keys) => keys.iter().map(String::as_str).collect(),
        }
    }
}
