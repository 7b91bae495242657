//! Numbers as go-yaml reads them, and as it writes them.

use std::fmt;

use tidegate_go::number as go;

/// A number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer that fits 64 bits with a sign.
    Signed(i64),
    /// An integer above those that still fits 64 bits.
    Unsigned(u64),
    /// Anything else, infinity and not-a-number among it.
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

    /// Returns what is left of the number after it went through JSON and back; `None` if JSON cannot hold it.
    ///
    /// # Source
    /// Go `encoding/json` writes floats below 1e21 without an exponent, and go-yaml reads those that are whole as integers.
    pub fn through_json(self) -> Option<Self> {
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

/// Writes a float with the shortest digits that tell it, and with an exponent below 1e-4 and from 1e6 on.
///
/// # Source
/// Go `strconv.FormatFloat(f, 'g', -1, 64)`, and go-yaml's words for what is no number.
fn write_float(float: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if float.is_nan() {
        return f.write_str(".nan");
    }
    if float.is_infinite() {
        return f.write_str(if float > 0.0 { ".inf" } else { "-.inf" });
    }
    let scientific = format!("{float:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return write!(f, "{float}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(f, "{digits}e{sign}{:02}", exponent.abs())
}

/// Reads a number as go-yaml does one that stands without quotes.
///
/// # Source
/// go-yaml `resolve`: all `_` are left out; Go's prefixes `0x`, `0o`, `0b` and `0`; then decimal floats.
pub(super) fn parse(text: &str) -> Option<Number> {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Some(Number::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Some(Number::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => return Some(Number::Float(f64::NEG_INFINITY)),
        _ => {}
    }
    match text.bytes().next()? {
        b'.' => go::parse(text).ok().map(Number::Float),
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
    // A second sign is a form that only Rust would take here.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let size = u64::from_str_radix(digits, radix).ok()?;
    match (negative, i64::try_from(size)) {
        (false, Ok(n)) => Some(Number::Signed(n)),
        // Go reads what exceeds the signed numbers only without a sign.
        (false, Err(_)) => (!text.starts_with('+')).then_some(Number::Unsigned(size)),
        (true, _) => 0_i64.checked_sub_unsigned(size).map(Number::Signed),
    }
}

/// Reads digits with at most one point, and an exponent.
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
    if is_it { go::parse(text).ok().map(Number::Float) } else { None }
}
