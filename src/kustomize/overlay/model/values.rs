//! Sets values and records where they come from.

use std::sync::Arc;

use crate::yaml::described;
use crate::yaml::{Content, Error, Key, Kind, Node, Origin, Provenance, Scalar, Schema, Step, StepId, Style, kind_of};

/// How the entries of a transformer are named in messages and in `blame`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Naming<'n> {
    /// By the field of the kustomization and their index: `images[2]`.
    Field(&'n str),
    /// By the kind of the plugin, which is the only entry.
    Plugin(&'n str),
}

impl<'n> Naming<'n> {
    /// Returns the name of an entry.
    pub(crate) fn entry(self, at: usize) -> Arc<str> {
        match self {
            Self::Field(field) => format!("{field}[{at}]").into(),
            Self::Plugin(kind) => kind.into(),
        }
    }

    /// Returns the name of all entries.
    pub(crate) fn all(self) -> &'n str {
        match self {
            Self::Field(name) | Self::Plugin(name) => name,
        }
    }
}

/// An entry of a kustomization that sets values.
#[derive(Debug, Clone)]
pub(crate) struct Cause {
    field: Arc<str>,
    /// Where the entry is.
    pub(crate) at: Origin,
    /// The step of all values that did not exist before.
    fresh: Option<StepId>,
}

impl Cause {
    pub(crate) fn new(field: impl Into<Arc<str>>, at: Origin) -> Self {
        Self { field: field.into(), at, fresh: None }
    }

    /// Returns the origin of a value written at `at` and set by this entry, which replaces the value at `before`, if any.
    pub(crate) fn origin(&mut self, at: Origin, before: Option<Origin>, provenance: &mut Provenance) -> Origin {
        let mut step =
            |before| provenance.add_step(Step { field: Arc::clone(&self.field), at: self.at, before, from: None });
        match before {
            Some(_) => at.by(step(before)),
            None => {
                let fresh = self.fresh.unwrap_or_else(|| step(None));
                self.fresh = Some(fresh);
                at.by(fresh)
            }
        }
    }
}

/// Returns a scalar that replaces another one. Without quotes, it has the type that it looks like.
pub(crate) fn scalar(text: Arc<str>, before: Option<&Scalar>) -> Scalar {
    Scalar::untagged(text).styled(before.map_or(Style::Plain, Scalar::style))
}

/// Returns the scalar of a node.
///
/// # Errors
/// [`Error`] if it holds something else.
pub(crate) fn text_of(node: &Node) -> Result<&Scalar, Error> {
    node.as_scalar().ok_or_else(|| node.origin.error(format!("this is {}, but a string is expected", described(node))))
}

/// Sets a field of a mapping.
///
/// # Errors
/// [`Error`] if the node is not a mapping.
pub(crate) fn set_field(node: &mut Node, key: &Key, value: Node) -> Result<(), Error> {
    let (origin, what) = (node.origin, described(node));
    let Some(mapping) = node.as_mapping_mut() else {
        return Err(origin.error(format!("this is {what}, but a mapping is expected")));
    };
    mapping.insert(key.clone(), value);
    Ok(())
}

/// Returns `true` if YAML does not read a key as a string.
pub(crate) fn is_non_string(key: &Key) -> bool {
    kind_of(&key.text, Schema::Resource) != Kind::String
}

/// Refuses the keys that transformers set and YAML does not read as strings, if they are still in the tree.
///
/// # Errors
/// [`Error`]
pub(crate) fn check_non_string_keys(node: &Node, odd: &[Key]) -> Result<(), Error> {
    match &node.content {
        Content::Scalar(_) => Ok(()),
        Content::Sequence(items) => items.iter().try_for_each(|item| check_non_string_keys(item, odd)),
        Content::Mapping(mapping) => mapping.iter().try_for_each(|entry| {
            if odd.contains(entry.key()) {
                check_key(entry.key())?;
            }
            check_non_string_keys(&entry.value, odd)
        }),
    }
}

/// Refuses a key that YAML does not read as a string: kustomize writes it without quotes.
///
/// # Errors
/// [`Error`]
pub(crate) fn check_key(key: &Key) -> Result<(), Error> {
    if !is_non_string(key) {
        return Ok(());
    }
    let what = match kind_of(&key.text, Schema::Resource) {
        Kind::String => "a string",
        Kind::Null => "null",
        Kind::Bool => "true or false",
        Kind::Integer | Kind::Float => "a number",
        Kind::Timestamp => "a date",
    };
    let remedy = match &*key.text {
        "true" | "false" => "put quotes around a word such as y or n, or use another key",
        _ => "use another key",
    };
    let message = format!("kustomize reads the key {:?} as {what}, and then fails; {remedy}", key.text);
    Err(key.origin.error(message))
}
