//! Instants and spans. Instants are arguments everywhere in the pure floors; nothing here reads a clock.

use std::fmt;

pub use jiff::{SignedDuration, Timestamp};

/// A text that Go would not read as a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a duration: write a number with a unit, such as \"30s\", \"5m\" or \"1h30m\"")]
pub struct InvalidDuration(pub String);

/// Reads a duration in Go's syntax: an optional sign, then decimal numbers with a unit each (`ns`, `us`, `µs`, `ms`, `s`, `m`, `h`); `0` needs none.
///
/// # Errors
/// [`InvalidDuration`] for any other text, and for a span beyond 64-bit nanoseconds (about 292 years).
///
/// # Source
/// Go `time.ParseDuration`, which is what reads `minSuccessTime` and `progressDeadline` upstream.
pub fn parse_go_duration(text: &str) -> Result<SignedDuration, InvalidDuration> {
    let invalid = || InvalidDuration(text.to_owned());
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(SignedDuration::ZERO);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(invalid)?;
        let (number, tail) = rest.split_at(number_end);
        let unit_end = tail.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(tail.len());
        let (unit, next) = tail.split_at(unit_end);
        let nanos_per_unit: i128 = match unit {
            "ns" => 1,
            "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return Err(invalid()),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') || whole.len() > 19 {
            return Err(invalid());
        }
        let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| invalid())? };
        total += whole * nanos_per_unit;
        // Go drops what lies below a nanosecond; eighteen digits are more than any unit can use.
        let fraction = fraction.get(..fraction.len().min(18)).unwrap_or("");
        if !fraction.is_empty() {
            let digits: i128 = fraction.parse().map_err(|_| invalid())?;
            total += digits * nanos_per_unit / 10_i128.pow(fraction.len() as u32);
        }
        if total > i128::from(i64::MAX) {
            return Err(invalid());
        }
        rest = next;
    }
    let nanos = i64::try_from(if negative { -total } else { total }).map_err(|_| invalid())?;
    Ok(SignedDuration::from_nanos(nanos))
}

/// Prints a duration as Go does: `1h30m0s`, `5m0s`, `250ms`, `0s`.
///
/// # Source
/// Go `time.Duration.String`.
pub struct GoDuration(pub SignedDuration);

impl fmt::Display for GoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        let (sign, nanos) = if nanos < 0 { ("-", -nanos) } else { ("", nanos) };
        let fraction = |value: i128, per_unit: i128, unit: &str| {
            let (whole, part) = (value / per_unit, value % per_unit);
            let width = per_unit.ilog10() as usize;
            let digits = format!("{part:0width$}");
            let digits = digits.trim_end_matches('0');
            if part == 0 { format!("{whole}{unit}") } else { format!("{whole}.{digits}{unit}") }
        };
        f.write_str(sign)?;
        match nanos {
            0 => f.write_str("0s"),
            n if n < 1_000 => write!(f, "{n}ns"),
            n if n < 1_000_000 => f.write_str(&fraction(n, 1_000, "\u{b5}s")),
            n if n < 1_000_000_000 => f.write_str(&fraction(n, 1_000_000, "ms")),
            n => {
                let (hours, minutes) = (n / 3_600_000_000_000, n / 60_000_000_000 % 60);
                if hours > 0 {
                    write!(f, "{hours}h")?;
                }
                if hours > 0 || minutes > 0 {
                    write!(f, "{minutes}m")?;
                }
                f.write_str(&fraction(n % 60_000_000_000, 1_000_000_000, "s"))
            }
        }
    }
}

/// Cuts an instant to whole seconds, the precision that Kubernetes keeps in conditions.
pub fn to_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}
