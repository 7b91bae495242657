//! `progressDeadline`: how long a cluster may be under way.

use crate::rollout::InvalidDeadline;
use tidegate_model::time::{SignedDuration, parse_go_duration};

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
        Err(error) => Err(InvalidDeadline::Duration(error.go_text())),
    }
}
