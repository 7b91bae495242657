//! Converts values on their way from a source to a field.

use super::read::Options;
use crate::yaml::{Content, Error, Kind, Node, Scalar};

/// Returns the part of a source that the options select.
///
/// # Errors
/// [`Error`] if it has no such part.
pub(super) fn part(node: &Node, options: &Options) -> Result<Node, Error> {
    if options.delimiter.is_empty() {
        return Ok(node.clone());
    }
    let wrong = |message: String| options.origin.error(message);
    let scalar =
        node.as_scalar().ok_or_else(|| wrong("only a single value can be split, and the source is not one".into()))?;
    let parts: Vec<_> = scalar.text().split(&*options.delimiter).collect();
    let part = usize::try_from(options.index).ok().and_then(|at| parts.get(at)).ok_or_else(|| {
        wrong(format!(
            "{:?} split at {:?} has {} parts, counted from 0, and no part {}",
            scalar.text(),
            &*options.delimiter,
            parts.len(),
            options.index
        ))
    })?;
    Ok(Node::scalar(retyped(scalar, part), node.origin))
}

/// Returns a scalar with the type of another one.
fn retyped(like: &Scalar, text: &str) -> Scalar {
    match like.kind() {
        _ if like.is_untagged() => Scalar::untagged(text).styled(like.style()),
        Kind::String => Scalar::string(text).styled(like.style()),
        _ => Scalar::plain(text),
    }
}

/// Returns the new string of a field. With a delimiter, only one part of the old string is replaced.
///
/// # Errors
/// [`Error`] if the field should be split but is not a single value.
pub(super) fn text(field: &Node, value: &Node, options: &Options) -> Result<String, Error> {
    // Anything but a single value becomes the empty string.
    let new = value.as_scalar().map_or("", Scalar::text);
    if options.delimiter.is_empty() {
        return Ok(new.to_owned());
    }
    let Some(old) = field.as_scalar() else {
        return Err(options.origin.error("only a single value can be split, and the field is not one"));
    };
    let new = if value.is_null() { "" } else { new };
    let mut parts: Vec<_> = old.text().split(&*options.delimiter).collect();
    match usize::try_from(options.index) {
        Err(_) => parts.insert(0, new),
        Ok(at) => match parts.get_mut(at) {
            Some(part) => *part = new,
            None => parts.push(new),
        },
    }
    Ok(parts.join(&options.delimiter))
}

/// A value whose type the field does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the field holds {held} and cannot be set to {text:?}; first give the field a value of the new type")]
pub(super) struct Retyped {
    held: &'static str,
    text: String,
}

/// Sets a field. A single value keeps its type; anything else becomes the value.
///
/// # Errors
/// [`Retyped`] if a number, boolean, date or null would become something else.
pub(super) fn set(field: &mut Node, value: &Node, text: &str) -> Result<(), Retyped> {
    let Content::Scalar(old) = &field.content else {
        field.content = match value.as_scalar() {
            Some(scalar) => Content::Scalar(retyped(scalar, text)),
            None => value.content.clone(),
        };
        return Ok(());
    };
    let new = retyped(old, text);
    let fits = match old.kind() {
        // Values that transformers wrote, and fields created for the value, have no type of their own.
        _ if old.is_untagged() => true,
        Kind::Float => matches!(new.kind(), Kind::Float | Kind::Integer),
        kind => new.kind() == kind,
    };
    if !fits {
        let held = match old.kind() {
            Kind::Null => "null",
            Kind::Bool => "true or false",
            Kind::Timestamp => "a date",
            Kind::Integer => "a whole number",
            Kind::Float | Kind::String => "a number",
        };
        return Err(Retyped { held, text: text.to_owned() });
    }
    field.content = Content::Scalar(new);
    Ok(())
}
