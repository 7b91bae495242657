//! Finds the expressions in a string.

/// A part of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part<'t> {
    /// Text as it is.
    Text(String),
    /// An expression, which is between `${` and `}`.
    Expression(&'t str),
}

/// An expression that is not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unclosed;

/// Returns the parts of a string. `$${` is the text `${`.
///
/// # Errors
/// [`Unclosed`] for `${` without its `}`.
pub(super) fn parts(text: &str) -> Result<Vec<Part<'_>>, Unclosed> {
    let (mut found, mut plain, mut rest) = (Vec::new(), String::new(), text);
    while let Some(at) = rest.find("${") {
        let (before, after) = rest.split_at(at);
        let after = after.get(2..).unwrap_or_default();
        if let Some(before) = before.strip_suffix('$') {
            plain.push_str(before);
            plain.push_str("${");
            rest = after;
            continue;
        }
        plain.push_str(before);
        let end = end(after).ok_or(Unclosed)?;
        let (expression, after) = after.split_at(end);
        if !plain.is_empty() {
            found.push(Part::Text(std::mem::take(&mut plain)));
        }
        found.push(Part::Expression(expression));
        rest = after.get(1..).unwrap_or_default();
    }
    plain.push_str(rest);
    if !plain.is_empty() || found.is_empty() {
        found.push(Part::Text(plain));
    }
    Ok(found)
}

/// Returns where the `}` is that closes an expression: braces of maps, strings and comments are a part of it.
fn end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            b'{' => depth += 1,
            b'"' | b'\'' => {
                let is_raw = at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(|b| b"rR".contains(b));
                at = end_of_string(bytes, at, is_raw)?;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes.get(at..)?.iter().position(|byte| *byte == b'\n')?;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the position after a string that starts with a quote, or with three.
fn end_of_string(bytes: &[u8], start: usize, is_raw: bool) -> Option<usize> {
    let quote = *bytes.get(start)?;
    let triple = [quote; 3];
    let closing = if bytes.get(start..start + 3) == Some(&triple) { 3 } else { 1 };
    let mut at = start + closing;
    loop {
        match bytes.get(at)? {
            b'\\' if !is_raw => at += 2,
            _ if bytes.get(at..at + closing) == triple.get(..closing) => return Some(at + closing),
            _ => at += 1,
        }
    }
}
