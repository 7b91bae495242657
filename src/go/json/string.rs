//! Decodes JSON strings.

use std::borrow::Cow;
use std::str::Chars;

/// Decodes the raw characters between the quotes of a valid string. An unpaired surrogate becomes U+FFFD.
///
/// # Source
/// Go `encoding/json`, `unquote`.
pub(super) fn unescaped(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => out.push(code_point(&mut rest)),
            Some(itself) => out.push(itself),
            None => {}
        }
    }
    Cow::Owned(out)
}

/// Reads the digits after `\u`, and the second half of a surrogate pair.
fn code_point(rest: &mut Chars<'_>) -> char {
    let first = hexadecimal(rest);
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    let mut ahead = rest.clone();
    let is_escape = ahead.next() == Some('\\') && ahead.next() == Some('u');
    let second = if is_escape { hexadecimal(&mut ahead) } else { 0 };
    if !(0xdc00..0xe000).contains(&second) {
        return char::REPLACEMENT_CHARACTER;
    }
    *rest = ahead;
    char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn hexadecimal(rest: &mut Chars<'_>) -> u32 {
    rest.take(4).fold(0, |value, digit| value * 16 + digit.to_digit(16).unwrap_or(0))
}
