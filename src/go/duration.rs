//! Durations as Go parses and prints them: the form of every duration in an API object.

use std::fmt;

use jiff::SignedDuration;

/// A string that Go would not parse as a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a duration: write a number with a unit, such as \"30s\", \"5m\" or \"1h30m\"")]
pub struct InvalidDuration {
    text: String,
    problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Problem {
    /// The form is invalid, or the duration is too long.
    Form,
    MissingUnit,
    UnknownUnit(String),
}

impl InvalidDuration {
    /// Returns Go's error message for the string.
    pub fn go_text(&self) -> String {
        let text = quoted(&self.text);
        match &self.problem {
            Problem::Form => format!("time: invalid duration {text}"),
            Problem::MissingUnit => format!("time: missing unit in duration {text}"),
            Problem::UnknownUnit(unit) => format!("time: unknown unit {} in duration {text}", quoted(unit)),
        }
    }
}

/// The most nanoseconds in a negative duration; a positive one has one less.
const MOST: u64 = 1 << 63;

/// Parses a duration in Go's syntax: an optional sign, then decimal numbers, each with a unit (`ns`, `us`, `µs`, `ms`, `s`,
/// `m`, `h`); `0` needs no unit.
///
/// # Errors
/// [`InvalidDuration`] for any other string, and for a duration that does not fit into 64-bit nanoseconds (about 292 years).
///
/// # Source
/// Go `time.ParseDuration`, which upstream uses for `minSuccessTime` and `progressDeadline`.
pub fn parse_go_duration(text: &str) -> Result<SignedDuration, InvalidDuration> {
    let refused = |problem| InvalidDuration { text: text.to_owned(), problem };
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return Ok(SignedDuration::ZERO);
    }
    if rest.is_empty() {
        return Err(refused(Problem::Form));
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (nanos, next) = part(rest).map_err(refused)?;
        total = total.checked_add(nanos).ok_or(Problem::Form).and_then(bounded).map_err(refused)?;
        rest = next;
    }
    let nanos = if text.starts_with('-') { 0_i64.checked_sub_unsigned(total) } else { i64::try_from(total).ok() };
    nanos.map(SignedDuration::from_nanos).ok_or_else(|| refused(Problem::Form))
}

/// Parses one number with its unit. Returns its nanoseconds and the rest of the string.
fn part(text: &str) -> Result<(u64, &str), Problem> {
    let (digits, tail) = split_digits(text);
    let (fraction, tail) = tail.strip_prefix('.').map_or(("", tail), split_digits);
    if digits.is_empty() && fraction.is_empty() {
        return Err(Problem::Form);
    }
    let mut whole: u64 = 0;
    for digit in digits.bytes() {
        let next = whole.checked_mul(10).and_then(|tens| tens.checked_add(u64::from(digit - b'0')));
        whole = bounded(next.ok_or(Problem::Form)?)?;
    }
    let (unit, next) = tail.split_at(tail.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(tail.len()));
    let nanos_per_unit = match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "" => return Err(Problem::MissingUnit),
        _ => return Err(Problem::UnknownUnit(unit.to_owned())),
    };
    let nanos = bounded(whole.checked_mul(nanos_per_unit).ok_or(Problem::Form)?)?;
    // Go lets the sum wrap around, and refuses what is then too large.
    Ok((bounded(nanos.saturating_add(fraction_of(nanos_per_unit, fraction)))?, next))
}

fn bounded(nanos: u64) -> Result<u64, Problem> {
    if nanos > MOST { Err(Problem::Form) } else { Ok(nanos) }
}

/// Returns the nanoseconds of a decimal fraction of a unit, in Go's floating-point arithmetic: `0.3333333333333333333h` is
/// 20 minutes.
fn fraction_of(nanos_per_unit: u64, digits: &str) -> u64 {
    let (mut value, mut scale) = (0_u64, 1.0_f64);
    for digit in digits.bytes() {
        let next = value.checked_mul(10).and_then(|tens| tens.checked_add(u64::from(digit - b'0')));
        let next = next.filter(|next| *next <= MOST);
        // Further digits would not fit, and make no difference.
        let Some(next) = next else { break };
        (value, scale) = (next, scale * 10.0);
    }
    (value as f64 * (nanos_per_unit as f64 / scale)) as u64
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// Quotes as Go's `time` package does: control characters and non-ASCII characters become hexadecimal bytes.
fn quoted(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'\x7f' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    format!("\"{}\"", text.bytes().map(escape).collect::<String>())
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
