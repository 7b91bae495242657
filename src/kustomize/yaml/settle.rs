//! What the last way of a tree, through JSON and back, makes of it.

use std::borrow::Cow;
use std::sync::Arc;

use super::fault::Fault;
use super::folded::{may_stand_in_block, rewritten, without_next_line};
use super::node::{Content, Node};
use super::origin::Origin;
use super::scalar::{Kind, Scalar, Style, Typed};
use super::value::no_json;

/// Brings a finished tree into the form in which it is written: numbers lose the digits that JSON does not keep, dates become
/// text, U+0085 becomes a blank, and text behind `>` gets the line ends that kustomize adds.
///
/// # Errors
/// [`Fault`] for what does not survive: infinity, and characters that YAML does not hold.
///
/// # Source
/// kustomize writes each object with go-yaml v3 in the styles in which it was read, reads that to write JSON, and reads the JSON
/// with go-yaml v2.
pub fn settle(node: &mut Node) -> Result<(), Fault> {
    match &mut node.content {
        Content::Scalar(scalar) => {
            if let Some(settled) = settled(scalar, node.origin)? {
                *scalar = settled;
            }
        }
        Content::Sequence(items) => items.iter_mut().try_for_each(settle)?,
        Content::Mapping(mapping) => {
            for member in mapping.iter() {
                check(&member.key().text, member.key().origin)?;
            }
            mapping.rename(|key| without_next_line(&key.text).map(Arc::from));
            mapping.iter_mut().try_for_each(|(_, value)| settle(value))?;
        }
    }
    Ok(())
}

/// Returns what a scalar becomes; `None` if it stays as it is.
fn settled(scalar: &Scalar, origin: Origin) -> Result<Option<Scalar>, Fault> {
    if scalar.kind() == Kind::String && !scalar.is_binary() {
        let text = scalar.text();
        check(text, origin)?;
        check_block(scalar, origin)?;
        // Only quoted text holds U+0085, so that never both happen.
        let changed = if scalar.style() == Style::Folded { rewritten(text) } else { without_next_line(text) };
        let changed = changed.map(Scalar::string);
        return Ok(changed.or_else(|| scalar.is_untagged().then(|| Scalar::string(Arc::clone(scalar.shared_text())))));
    }
    if scalar.is_bare_null() {
        return Ok(Some(Scalar::string("")));
    }
    Ok(match scalar.typed() {
        Typed::Null => Some(Scalar::null()),
        Typed::Bool(value) => Some(Scalar::boolean(value)),
        Typed::Number(number) => Some(Scalar::number(number.through_json().ok_or_else(|| no_json(scalar, origin))?)),
        Typed::String(Cow::Owned(text)) => {
            check(&text, origin)?;
            Some(Scalar::string(text))
        }
        Typed::String(Cow::Borrowed(text)) => Some(Scalar::string(text)),
    })
}

/// Refuses text behind `|` or `>` that begins with a tab: go-yaml writes it so that no reader takes it.
fn check_block(scalar: &Scalar, origin: Origin) -> Result<(), Fault> {
    let is_block = matches!(scalar.style(), Style::Literal | Style::Folded) && scalar.text().starts_with('\t');
    if !is_block || !may_stand_in_block(scalar.text()) {
        return Ok(());
    }
    let message = "the text has several lines and begins with a tab, which kustomize cannot read back; begin it with something else";
    Err(Fault::new(origin, message))
}

/// Refuses the characters that JSON does not escape and YAML does not hold.
fn check(text: &str, origin: Origin) -> Result<(), Fault> {
    let is_bad = |c: char| matches!(c, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
    match text.chars().find(|c| is_bad(*c)) {
        Some(c) => {
            let message =
                format!("the text holds the character U+{:04X}, which YAML does not allow; remove it", u32::from(c));
            Err(Fault::new(origin, message))
        }
        None => Ok(()),
    }
}
