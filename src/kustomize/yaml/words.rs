//! Scalars that go-yaml reads in another way than the parser.

use super::compose::Word;
use super::scalar::Style;

/// Refuses what go-yaml refuses or takes for something else.
///
/// # Errors
/// What is wrong, and what would be right.
pub(super) fn check(word: &Word<'_>, source: &str, is_in_flow: bool) -> Result<(), &'static str> {
    match word.style {
        Style::Plain if is_in_flow && !word.span.is_empty() => {
            if word.text.contains('?') || word.text.starts_with(':') {
                return Err("put quotes around text with ? or : between brackets or braces");
            }
            let behind = word.span.end.byte_offset().and_then(|end| source.get(end..)).unwrap_or_default();
            match behind.strip_prefix(':') {
                Some(behind) if behind.starts_with([',', ']', '}']) => Err("put a blank behind the :"),
                _ => Ok(()),
            }
        }
        Style::Literal | Style::Folded => check_block(word, source),
        Style::Double => word.span.slice(source).map_or(Ok(()), check_escapes),
        _ => Ok(()),
    }
}

/// Refuses a block whose text begins with a tab, unless its head says how far it is indented.
fn check_block(word: &Word<'_>, source: &str) -> Result<(), &'static str> {
    if !word.text.trim_start_matches('\n').starts_with('\t') {
        return Ok(());
    }
    let before = word.span.start.byte_offset().and_then(|start| source.get(..start)).unwrap_or_default();
    let line = before.trim_end().rsplit('\n').next().unwrap_or_default();
    let head = line.split(" #").next().unwrap_or(line).trim_end();
    let indicators = head.rsplit(['|', '>']).next().unwrap_or_default();
    if indicators.contains(|c: char| c.is_ascii_digit()) {
        return Ok(());
    }
    Err(
        "this is no YAML: the tab at the beginning of the text is taken for indentation; put the text in double quotes, with \\t",
    )
}

/// Refuses the escapes that only JSON knows.
fn check_escapes(quoted: &str) -> Result<(), &'static str> {
    let mut rest = quoted;
    while let Some((_, escape)) = rest.split_once('\\') {
        let mut escape = escape.chars();
        match escape.next() {
            Some('/') => return Err("this is no YAML: the escape \\/ is only known in JSON; write / without the \\"),
            Some('u') if is_surrogate(escape.as_str()) => {
                return Err("this is no YAML: pairs of \\u escapes are only known in JSON; write the character itself");
            }
            _ => rest = escape.as_str(),
        }
    }
    Ok(())
}

fn is_surrogate(digits: &str) -> bool {
    matches!(digits.as_bytes(), [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..])
}

/// Gives a scalar the text that go-yaml gives it.
pub(super) fn correct(word: &mut Word<'_>, source: &str) {
    // The parser says ~ where nothing stands.
    if word.style == Style::Plain && word.span.is_empty() && word.text == "~" {
        word.text = "".into();
    }
    // The last line of a block has no line end if the file has none there.
    if matches!(word.style, Style::Literal | Style::Folded) && ends_open(word, source) {
        let text = word.text.strip_suffix('\n').map(str::to_owned);
        word.text = text.map_or_else(|| word.text.clone(), Into::into);
    }
}

/// Returns `true` if the last line of a block is the last of the file, has text, and no end.
fn ends_open(word: &Word<'_>, source: &str) -> bool {
    let last = source.rsplit('\n').next().unwrap_or_default();
    let is_last = word.span.end.byte_offset() == Some(source.len());
    is_last && word.span.indent.is_some_and(|indent| last.chars().count() > indent)
}
