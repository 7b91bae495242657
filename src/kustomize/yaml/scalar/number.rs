//! Numbers as go-yaml parses and writes them.

use std::fmt;

use tidegate_go::float::{format_g, parse_float};

/// A number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A signed 64-bit integer.
    Signed(i64),
    /// A larger integer that fits into 64 bits unsigned.
    Unsigned(u64),
    /// Any other number, including infinity and not-a-number.
    Float(f64),
}

impl Number {
    /// Returns the number as a float, which may lose digits.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Signed(n) => n as f64,
            Self::Unsigned(n) => n as f64,
            Self::Float(n) => n,
        }
    }

    /// Returns the number after a round trip through JSON; `None` if JSON cannot represent it.
    ///
    /// # Source
    /// Go `encoding/json` writes floats below 1e21 without an exponent, and go-yaml parses integral ones as integers.
    pub(crate) fn through_json(self) -> Option<Self> {
        let Self::Float(float) = self else { return Some(self) };
        if !float.is_finite() {
            return None;
        }
        if float.fract() != 0.0 || float.abs() >= 1e21 {
            return Some(self);
        }
        let text = float.to_string();
        let integer = text.parse().map(Self::Signed).or_else(|_| text.parse().map(Self::Unsigned));
        Some(integer.unwrap_or(self))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signed(n) => write!(f, "{n}"),
            Self::Unsigned(n) => write!(f, "{n}"),
            Self::Float(n) => write_float(*n, f),
        }
    }
}

/// Writes a float.
///
/// # Source
/// Go `strconv.FormatFloat(f, 'g', -1, 64)`, and go-yaml's names for infinity and not-a-number.
fn write_float(float: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if float.is_nan() {
        return f.write_str(".nan");
    }
    if float.is_infinite() {
        return f.write_str(if float > 0.0 { ".inf" } else { "-.inf" });
    }
    f.write_str(&format_g(float))
}

/// Parses a plain scalar as a number, as go-yaml does.
///
/// # Source
/// go-yaml `resolve`: every `_` is removed; then Go's prefixes `0x`, `0o`, `0b` and `0`; then decimal floats.
pub(crate) fn parse(text: &str) -> Option<Number> {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Some(Number::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Some(Number::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => return Some(Number::Float(f64::NEG_INFINITY)),
        _ => {}
    }
    match text.bytes().next()? {
        b'.' => parse_float(text).ok().map(Number::Float),
        b'0'..=b'9' | b'+' | b'-' => {
            let plain = text.replace('_', "");
            integer(&plain).or_else(|| decimal(&plain))
        }
        _ => None,
    }
}

fn integer(text: &str) -> Option<Number> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, unsigned.get(2..)?),
        [b'0', b'o' | b'O', ..] => (8, unsigned.get(2..)?),
        [b'0', b'b' | b'B', ..] => (2, unsigned.get(2..)?),
        [b'0', _, ..] => (8, unsigned.get(1..)?),
        _ => (10, unsigned),
    };
    // Only Rust would accept a second sign here.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let size = u64::from_str_radix(digits, radix).ok()?;
    match (negative, i64::try_from(size)) {
        (false, Ok(n)) => Some(Number::Signed(n)),
        // Go parses integers above the signed range only without a sign.
        (false, Err(_)) => (!text.starts_with('+')).then_some(Number::Unsigned(size)),
        (true, _) => 0_i64.checked_sub_unsigned(size).map(Number::Signed),
    }
}

/// Parses digits with at most one decimal point, and an exponent.
fn decimal(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let is_it = are_digits(whole)
        && are_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && are_digits(exponent));
    if is_it { parse_float(text).ok().map(Number::Float) } else { None }
}
