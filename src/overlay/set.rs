//! Setting values, with where they come from.

use std::sync::Arc;

use super::fields::described;
use crate::yaml::{Fault, Key, Kind, Node, Origin, Provenance, Scalar, Schema, Step, StepId, Style, kind_of};

/// What sets values: an entry of a kustomization.
#[derive(Debug, Clone)]
pub(super) struct Cause {
    field: Arc<str>,
    /// Where the entry stands.
    pub(super) at: Origin,
    /// The step of all values that were not there before.
    fresh: Option<StepId>,
}

impl Cause {
    pub(super) fn new(field: impl Into<Arc<str>>, at: Origin) -> Self {
        Self { field: field.into(), at, fresh: None }
    }

    pub(super) fn field(&self) -> &str {
        &self.field
    }

    /// Returns the origin of a value that stands at a place, set by this, where another one was before.
    pub(super) fn origin(&mut self, at: Origin, before: Option<Origin>, provenance: &mut Provenance) -> Origin {
        let mut step = |before| provenance.add_step(Step { field: Arc::clone(&self.field), at: self.at, before });
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

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// As text, whatever it looks like.
    AsText,
    /// As what was there: without quotes, it is taken for what it looks like.
    AsBefore,
}

/// Returns a scalar that takes the place of another one.
pub(super) fn scalar(text: Arc<str>, before: Option<&Scalar>, written: Written) -> Scalar {
    let is_plain = before.is_none_or(|before| before.style() == Style::Plain);
    if written == Written::AsBefore && is_plain { Scalar::plain(text) } else { Scalar::string(text) }
}

/// Returns the text of a node that holds a scalar.
///
/// # Errors
/// [`Fault`] if it holds something else.
pub(super) fn text_of(node: &Node) -> Result<&Scalar, Fault> {
    node.as_scalar()
        .ok_or_else(|| Fault::new(node.origin, format!("this is {}, where text is wanted", described(node))))
}

/// Sets a member of a mapping to a text.
///
/// # Errors
/// [`Fault`] if there is no mapping.
pub(super) fn set_member(node: &mut Node, key: &Key, value: Node) -> Result<(), Fault> {
    let (origin, what) = (node.origin, described(node));
    let Some(mapping) = node.as_mapping_mut() else {
        return Err(Fault::new(origin, format!("this is {what}, where a mapping is wanted")));
    };
    if !mapping.contains(&key.text) {
        check_key(key)?;
    }
    mapping.insert(key.clone(), value);
    Ok(())
}

/// Refuses a key that YAML takes for something else than text: kustomize writes it without quotes.
///
/// # Errors
/// [`Fault`]
pub(super) fn check_key(key: &Key) -> Result<(), Fault> {
    let what = match kind_of(&key.text, Schema::Resource) {
        Kind::String => return Ok(()),
        Kind::Null => "nothing",
        Kind::Bool => "true or false",
        Kind::Integer | Kind::Float => "a number",
        Kind::Timestamp => "a date",
    };
    let message = format!("the key {:?} is read as {what} by kustomize, which then fails; take another key", key.text);
    Err(Fault::new(key.origin, message))
}
