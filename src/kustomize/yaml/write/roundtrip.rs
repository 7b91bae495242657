//! The final round trip of a tree through JSON, which normalizes scalars as kustomize does.

use std::borrow::Cow;
use std::sync::Arc;

use super::analyze::allowed;
use crate::yaml::origin::{Error, Origin};
use crate::yaml::scalar::value::{Scalar, Typed};
use crate::yaml::scalar::{Kind, Style};
use crate::yaml::tree::json::no_json;
use crate::yaml::tree::{Content, Node};

/// Brings a finished tree into its final form: numbers lose digits that JSON does not keep, dates become strings, U+0085
/// becomes a space, and folded blocks (`>`) get the line breaks that kustomize adds.
///
/// # Errors
/// [`Error`] for values that do not survive: infinity, and characters that YAML does not allow.
///
/// # Source
/// kustomize writes each object with go-yaml v3 in its original styles, reads that back to write JSON, and reads the JSON with
/// go-yaml v2.
pub fn normalize(node: &mut Node) -> Result<(), Error> {
    match &mut node.content {
        Content::Scalar(scalar) => {
            if let Some(normalized) = normalized(scalar, node.origin)? {
                *scalar = normalized;
            }
        }
        Content::Sequence(items) => items.iter_mut().try_for_each(normalize)?,
        Content::Mapping(mapping) => {
            for entry in mapping.iter() {
                check(&entry.key().text, entry.key().origin)?;
            }
            mapping.rename(|key| without_next_line(&key.text).map(Arc::from));
            mapping.iter_mut().try_for_each(|(_, value)| normalize(value))?;
        }
    }
    Ok(())
}

/// Returns the final form of a scalar; `None` if it does not change.
fn normalized(scalar: &Scalar, origin: Origin) -> Result<Option<Scalar>, Error> {
    if scalar.kind() == Kind::String && !scalar.is_binary() {
        let text = scalar.text();
        check(text, origin)?;
        check_block(scalar, origin)?;
        // Only quoted scalars contain U+0085, so both cannot happen.
        let changed = if scalar.style() == Style::Folded { rewritten(text) } else { without_next_line(text) };
        let changed = changed.map(Scalar::string);
        return Ok(changed.or_else(|| scalar.is_untagged().then(|| Scalar::string(Arc::clone(scalar.shared_text())))));
    }
    if scalar.is_empty_in_flow() {
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
fn check_block(scalar: &Scalar, origin: Origin) -> Result<(), Error> {
    let is_block = matches!(scalar.style(), Style::Literal | Style::Folded) && scalar.text().starts_with('\t');
    if !is_block || !may_stand_in_block(scalar.text()) {
        return Ok(());
    }
    let message = "the text has several lines and starts with a tab, which kustomize cannot read back; remove the tab";
    Err(origin.error(message))
}

/// Rejects characters that JSON does not escape and YAML does not allow.
fn check(text: &str, origin: Origin) -> Result<(), Error> {
    let is_bad = |c: char| matches!(c, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
    match text.chars().find(|c| is_bad(*c)) {
        Some(c) => {
            let message =
                format!("the text contains the character U+{:04X}, which YAML does not allow; remove it", u32::from(c));
            Err(origin.error(message))
        }
        None => Ok(()),
    }
}

/// Returns `true` if go-yaml v3 writes a string as a block: it has several lines and no character that requires quotes. Tabs do
/// not require quotes.
fn may_stand_in_block(text: &str) -> bool {
    text.contains('\n') && allowed(&text.replace('\t', "x")).block
}

/// Returns the text of a folded block (`>`) after it is written and read again; `None` if it does not change.
///
/// # Source
/// go-yaml v3 writes one line break too many before a line that starts with whitespace, and at an end of several line breaks.
fn rewritten(text: &str) -> Option<String> {
    if !may_stand_in_block(text) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 2);
    let mut rest = text;
    while !rest.is_empty() {
        let line = rest.split('\n').next().unwrap_or_default();
        let tail = rest.get(line.len()..).unwrap_or_default();
        let next = tail.trim_start_matches('\n');
        let ends = tail.len() - next.len();
        let is_bare = !line.is_empty() && !line.starts_with([' ', '\t']);
        let is_more = next.starts_with([' ', '\t']) || (next.is_empty() && ends > 1);
        out.push_str(line);
        out.extend(std::iter::repeat_n('\n', ends + usize::from(is_bare && is_more)));
        rest = next;
    }
    (out != text).then_some(out)
}

/// Folds lines that end with U+0085, as in quoted scalars: one becomes a space, several become one line break fewer.
fn without_next_line(text: &str) -> Option<String> {
    if !text.contains('\u{85}') {
        return None;
    }
    let lines: Vec<&str> = text.split('\u{85}').collect();
    let last = lines.len() - 1;
    let mut out = String::with_capacity(text.len());
    let mut ends = 0;
    for (i, line) in lines.into_iter().enumerate() {
        // Spaces around a line break are dropped; tabs and other line breaks are escaped in JSON and stay.
        let line = if i > 0 { line.trim_start_matches(' ') } else { line };
        let line = if i < last { line.trim_end_matches(' ') } else { line };
        if ends > 0 && (i == last || !line.is_empty()) {
            out.push_str(&if ends == 1 { " ".to_owned() } else { "\n".repeat(ends - 1) });
            ends = 0;
        }
        out.push_str(line);
        ends += 1;
    }
    Some(out)
}
