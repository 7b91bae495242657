//! The final round trip of a tree through JSON, which normalizes scalars as kustomize does.

use std::borrow::Cow;
use std::sync::Arc;

use super::fault::Fault;
use super::folded::{may_stand_in_block, rewritten, without_next_line};
use super::node::{Content, Node};
use super::origin::Origin;
use super::scalar::{Kind, Scalar, Style, Typed};
use super::value::no_json;

/// Brings a finished tree into its final form: numbers lose digits that JSON does not keep, dates become strings, U+0085
/// becomes a space, and folded blocks (`>`) get the line breaks that kustomize adds.
///
/// # Errors
/// [`Fault`] for values that do not survive: infinity, and characters that YAML does not allow.
///
/// # Source
/// kustomize writes each object with go-yaml v3 in its original styles, reads that back to write JSON, and reads the JSON with
/// go-yaml v2.
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

/// Returns the final form of a scalar; `None` if it does not change.
fn settled(scalar: &Scalar, origin: Origin) -> Result<Option<Scalar>, Fault> {
    if scalar.kind() == Kind::String && !scalar.is_binary() {
        let text = scalar.text();
        check(text, origin)?;
        check_block(scalar, origin)?;
        // Only quoted scalars contain U+0085, so both cannot happen.
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

/// Rejects blocks (`|` or `>`) that start with a tab: go-yaml writes them in a form that cannot be read back.
fn check_block(scalar: &Scalar, origin: Origin) -> Result<(), Fault> {
    let is_block = matches!(scalar.style(), Style::Literal | Style::Folded) && scalar.text().starts_with('\t');
    if !is_block || !may_stand_in_block(scalar.text()) {
        return Ok(());
    }
    let message = "the text has several lines and starts with a tab, which kustomize cannot read back; remove the tab";
    Err(Fault::new(origin, message))
}

/// Rejects characters that JSON does not escape and YAML does not allow.
fn check(text: &str, origin: Origin) -> Result<(), Fault> {
    let is_bad = |c: char| matches!(c, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
    match text.chars().find(|c| is_bad(*c)) {
        Some(c) => {
            let message =
                format!("the text contains the character U+{:04X}, which YAML does not allow; remove it", u32::from(c));
            Err(Fault::new(origin, message))
        }
        None => Ok(()),
    }
}
