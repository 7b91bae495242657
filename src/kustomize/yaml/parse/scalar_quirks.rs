//! Scalars that go-yaml reads differently than the parser.

use super::raw_scalar::RawScalar;
use crate::yaml::scalar::Style;

/// Rejects scalars that go-yaml rejects or reads differently.
///
/// # Errors
/// A message with advice.
pub(crate) fn check(raw: &RawScalar<'_>, source: &str, is_in_flow: bool) -> Result<(), &'static str> {
    match raw.style {
        Style::Plain if is_in_flow && !raw.span.is_empty() => {
            if raw.text.contains('?') || raw.text.starts_with(':') {
                return Err("put quotes around text with ? or : between brackets or braces");
            }
            let after = raw.span.end.byte_offset().and_then(|end| source.get(end..)).unwrap_or_default();
            match after.strip_prefix(':') {
                Some(after) if after.starts_with([',', ']', '}']) => Err("put a space after the :"),
                _ => Ok(()),
            }
        }
        Style::Literal | Style::Folded => check_block(raw, source),
        Style::Double => raw.span.slice(source).map_or(Ok(()), check_escapes),
        _ => Ok(()),
    }
}

/// Rejects a block whose content starts with a tab, unless its header specifies the indentation.
fn check_block(raw: &RawScalar<'_>, source: &str) -> Result<(), &'static str> {
    if !raw.text.trim_start_matches('\n').starts_with('\t') {
        return Ok(());
    }
    let before = raw.span.start.byte_offset().and_then(|start| source.get(..start)).unwrap_or_default();
    let line = before.trim_end().rsplit('\n').next().unwrap_or_default();
    let head = line.split(" #").next().unwrap_or(line).trim_end();
    let indicators = head.rsplit(['|', '>']).next().unwrap_or_default();
    if indicators.contains(|c: char| c.is_ascii_digit()) {
        return Ok(());
    }
    Err(
        "this is not valid YAML: the tab at the start is treated as indentation; put the text in double quotes, with \\t",
    )
}

/// Rejects escapes that exist only in JSON.
fn check_escapes(quoted: &str) -> Result<(), &'static str> {
    let mut rest = quoted;
    while let Some((_, escape)) = rest.split_once('\\') {
        let mut escape = escape.chars();
        match escape.next() {
            Some('/') => {
                return Err("this is not valid YAML: the escape \\/ exists only in JSON; write / without the \\");
            }
            Some('u') if is_surrogate(escape.as_str()) => {
                return Err(
                    "this is not valid YAML: pairs of \\u escapes exist only in JSON; write the character itself",
                );
            }
            _ => rest = escape.as_str(),
        }
    }
    Ok(())
}

fn is_surrogate(digits: &str) -> bool {
    matches!(digits.as_bytes(), [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..])
}

/// Changes the text of a scalar to the text that go-yaml reads.
pub(crate) fn correct(raw: &mut RawScalar<'_>, source: &str) {
    // The parser returns ~ for a missing value.
    if raw.style == Style::Plain && raw.span.is_empty() && raw.text == "~" {
        raw.text = "".into();
    }
    // The last line of a block has no line break if the file ends without one.
    if matches!(raw.style, Style::Literal | Style::Folded) && ends_open(raw, source) {
        let text = raw.text.strip_suffix('\n').map(str::to_owned);
        raw.text = text.map_or_else(|| raw.text.clone(), Into::into);
    }
}

/// Returns `true` if the last line of a block is the last line of the file, has content, and no line break.
fn ends_open(raw: &RawScalar<'_>, source: &str) -> bool {
    let last = source.rsplit('\n').next().unwrap_or_default();
    let is_last = raw.span.end.byte_offset() == Some(source.len());
    is_last && raw.span.indent.is_some_and(|indent| last.chars().count() > indent)
}
