//! `progressDeadline`: how long a cluster may be under way.

use crate::model::time::{SignedDuration, parse_go_duration};
use crate::rollout::InvalidDeadline;

/// The longest duration of Go, which upstream takes for "no limit".
pub(super) const FOREVER: SignedDuration = SignedDuration::from_nanos(i64::MAX);

/// Reads a deadline; `None` is for ever.
///
/// # Errors
/// Any text but the empty one, `None`, and a Go duration that begins with a whole number.
///
/// # Source
/// Upstream's pattern is `^(([0-9])+[h|m|s])|None$`. Its alternatives bind loosely, so it only demands that the text begins
/// with a number and one of `h`, `|`, `m`, `s`, or that it ends with `None`.
pub(super) fn parse(text: &str) -> Result<Option<SignedDuration>, InvalidDeadline> {
    if text.is_empty() || text == "None" {
        return Ok(None);
    }
    let tail = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let begins_well = tail.len() < text.len() && tail.starts_with(['h', '|', 'm', 's']);
    if !begins_well && !text.ends_with("None") {
        return Err(InvalidDeadline::Format);
    }
    match parse_go_duration(text) {
        Ok(span) => Ok((span != FOREVER).then_some(span)),
        Err(_) => Err(InvalidDeadline::Duration(complaint(text))),
    }
}

/// Returns what Go's `time.ParseDuration` says about a text that it refuses.
fn complaint(text: &str) -> String {
    let whole = quoted(text);
    let invalid = format!("time: invalid duration {whole}");
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    while !rest.is_empty() {
        let after_whole = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let after_number = match after_whole.strip_prefix('.') {
            Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
            None => after_whole,
        };
        let has_digits = rest.len() - after_number.len() > usize::from(after_whole.starts_with('.'));
        let (unit, next) = match after_number.find(|c: char| c.is_ascii_digit() || c == '.') {
            Some(end) => after_number.split_at(end),
            None => (after_number, ""),
        };
        if !has_digits {
            return invalid;
        }
        if unit.is_empty() {
            return format!("time: missing unit in duration {whole}");
        }
        if !matches!(unit, "ns" | "us" | "\u{b5}s" | "\u{3bc}s" | "ms" | "s" | "m" | "h") {
            return format!("time: unknown unit {} in duration {whole}", quoted(unit));
        }
        rest = next;
    }
    invalid
}

/// Quotes as Go's `time` package does: control characters and all beyond ASCII byte by byte in hexadecimal.
fn quoted(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'\x7f' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    format!("\"{}\"", text.bytes().map(escape).collect::<String>())
}
