//! `progressDeadline`: how long a cluster may be under way.

use crate::rollout::InvalidDeadline;
use tidegate_model::time::{SignedDuration, parse_go_duration};

/// The longest duration of Go, which upstream treats as "no limit".
pub(super) const FOREVER: SignedDuration = SignedDuration::from_nanos(i64::MAX);

/// Parses a deadline; `None` means no limit.
///
/// # Errors
/// Any string other than the empty one, `None`, or a Go duration that starts with a whole number.
///
/// # Source
/// Upstream's pattern is `^(([0-9])+[h|m|s])|None$`. Its alternatives bind loosely, so it only requires that the string starts with
/// a number and one of `h`, `|`, `m`, `s`, or that it ends with `None`.
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
        Err(error) => Err(InvalidDeadline::Duration(error.go_text())),
    }
}
