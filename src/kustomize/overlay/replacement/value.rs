//! Values on their way from a source to a field.

use super::read::Options;
use crate::yaml::{Content, Fault, Kind, Node, Scalar};

/// Returns the part of a source that counts.
///
/// # Errors
/// [`Fault`] if it has no such part.
pub(super) fn part(node: &Node, options: &Options) -> Result<Node, Fault> {
    if options.delimiter.is_empty() {
        return Ok(node.clone());
    }
    let wrong = |message: String| Fault::new(options.origin, message);
    let scalar =
        node.as_scalar().ok_or_else(|| wrong("only a single value can be divided, and the source is none".into()))?;
    let parts: Vec<_> = scalar.text().split(&*options.delimiter).collect();
    let part = usize::try_from(options.index).ok().and_then(|at| parts.get(at)).ok_or_else(|| {
        wrong(format!(
            "{:?} divided by {:?} has {} parts, counted from 0, and there is none with the number {}",
            scalar.text(),
            &*options.delimiter,
            parts.len(),
            options.index
        ))
    })?;
    Ok(Node::scalar(retyped(scalar, part), node.origin))
}

/// Returns a text of the kind of another one.
fn retyped(like: &Scalar, text: &str) -> Scalar {
    match like.kind() {
        _ if like.is_untagged() => Scalar::untagged(text).styled(like.style()),
        Kind::String => Scalar::string(text).styled(like.style()),
        _ => Scalar::plain(text),
    }
}

/// Returns the text that a field gets, of which a part may be replaced.
///
/// # Errors
/// [`Fault`] if the field has no parts.
pub(super) fn text(field: &Node, value: &Node, options: &Options) -> Result<String, Fault> {
    // Of what is no single value nothing is left as text.
    let new = value.as_scalar().map_or("", Scalar::text);
    if options.delimiter.is_empty() {
        return Ok(new.to_owned());
    }
    let Some(old) = field.as_scalar() else {
        return Err(Fault::new(options.origin, "only a single value can be divided, and the field is none"));
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

/// Sets a field. A single value keeps its kind, and everything else becomes the value.
///
/// # Errors
/// What is wrong, if a number, a truth or nothing would become something else.
pub(super) fn set(field: &mut Node, value: &Node, text: &str) -> Result<(), String> {
    let Content::Scalar(old) = &field.content else {
        field.content = match value.as_scalar() {
            Some(scalar) => Content::Scalar(retyped(scalar, text)),
            None => value.content.clone(),
        };
        return Ok(());
    };
    let new = retyped(old, text);
    let fits = match old.kind() {
        // What transformers wrote, and a field that was made for the value, have no kind of their own.
        _ if old.is_untagged() => true,
        Kind::Float => matches!(new.kind(), Kind::Float | Kind::Integer),
        kind => new.kind() == kind,
    };
    if !fits {
        let what = match old.kind() {
            Kind::Null => "nothing",
            Kind::Bool => "true or false",
            Kind::Timestamp => "a date",
            Kind::Integer => "a whole number",
            Kind::Float | Kind::String => "a number",
        };
        return Err(format!("the field holds {what} and cannot take {text:?}; give the field a value of that kind"));
    }
    field.content = Content::Scalar(new);
    Ok(())
}
