//! Floating-point numbers as Go prints and parses them.

use std::ops::Range;

/// The decimal exponents that `strconv` prints without an exponent in the format `g` with the shortest digits.
const GENERAL: Range<i32> = -4..6;

/// The decimal exponents that `encoding/json` prints without an exponent.
const JSON: Range<i32> = -6..21;

/// Prints a float with the shortest digits that identify it, and with an exponent if it is far from 1.
///
/// # Source
/// Go `strconv.FormatFloat(f, 'g', -1, 64)`.
pub fn format_g(float: f64) -> String {
    format_g_in(float, GENERAL)
}

/// Prints a float like [`format_g`], without an exponent if its decimal exponent is in `positional`.
pub fn format_g_in(float: f64, positional: Range<i32>) -> String {
    let text = format!("{float:e}");
    match text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()) {
        Some(exponent) if positional.contains(&exponent) => format!("{float}"),
        _ => with_go_exponent(float, &text),
    }
}

/// Prints a float with one digit before the decimal point and an exponent; `precision` is the number of digits after the point,
/// `None` for as many as identify the float.
///
/// # Source
/// Go `strconv.FormatFloat(f, 'e', precision, 64)`.
pub fn format_e(float: f64, precision: Option<usize>) -> String {
    let text = match precision {
        Some(digits) => format!("{float:.digits$e}"),
        None => format!("{float:e}"),
    };
    with_go_exponent(float, &text)
}

/// Prints a float without an exponent; `precision` is the number of digits after the decimal point, `None` for as many as
/// identify the float.
///
/// # Source
/// Go `strconv.FormatFloat(f, 'f', precision, 64)`.
pub fn format_f(float: f64, precision: Option<usize>) -> String {
    match precision {
        _ if !float.is_finite() => special(float).to_owned(),
        Some(digits) => format!("{float:.digits$}"),
        None => format!("{float}"),
    }
}

/// Prints a float as JSON: with an exponent below 1e-6 and from 1e21 on. The exponent has no leading zero.
///
/// # Source
/// Go `encoding/json`, `floatEncoder`. It refuses infinity and not-a-number, which `serde_json` cannot represent either.
pub fn format_json(float: f64) -> String {
    let text = format!("{float:e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => match exponent.parse() {
            Ok(exponent) if JSON.contains(&exponent) => format!("{float}"),
            _ if exponent.starts_with('-') => text,
            _ => format!("{mantissa}e+{exponent}"),
        },
        None => special(float).to_owned(),
    }
}

/// Rewrites the exponent of a printed float as in Go: with a sign and at least two digits.
fn with_go_exponent(float: f64, text: &str) -> String {
    let Some((mantissa, exponent)) = text.split_once('e') else { return special(float).to_owned() };
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// Returns Go's name for infinity or not-a-number.
fn special(float: f64) -> &'static str {
    match float {
        f64::INFINITY => "+Inf",
        f64::NEG_INFINITY => "-Inf",
        _ => "NaN",
    }
}

/// Why a string is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseError {
    /// The syntax is invalid.
    Syntax,
    /// The number is too large.
    Range,
}

/// Parses a floating-point number in Go's syntax.
///
/// # Source
/// Go `strconv.ParseFloat`: decimal, or hexadecimal with a binary exponent; `_` between digits; `inf`, `infinity` and
/// `nan` in any case, the last one without a sign.
pub fn parse_float(text: &str) -> Result<f64, ParseError> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    let is = |word: &str| unsigned.eq_ignore_ascii_case(word);
    if is("inf") || is("infinity") {
        return Ok(sign * f64::INFINITY);
    }
    if text.eq_ignore_ascii_case("nan") {
        return Ok(f64::NAN);
    }
    let hexadecimal = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    if !underscores_separate_digits(unsigned, hexadecimal.is_some()) {
        return Err(ParseError::Syntax);
    }
    let value = match hexadecimal {
        Some(digits) => hexadecimal_value(&digits.replace('_', ""))?,
        None => decimal_value(&unsigned.replace('_', ""))?,
    };
    if value.is_infinite() { Err(ParseError::Range) } else { Ok(sign * value) }
}

/// Returns `true` if each `_` has a digit or the prefix `0x` before it, and a digit after it.
fn underscores_separate_digits(text: &str, hexadecimal: bool) -> bool {
    let bytes = text.as_bytes();
    let is_digit =
        |at: usize| bytes.get(at).is_some_and(|b| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() });
    text.match_indices('_').all(|(at, _)| at > 0 && (is_digit(at - 1) || (hexadecimal && at == 2)) && is_digit(at + 1))
}

fn decimal_value(text: &str) -> Result<f64, ParseError> {
    // Rust would also accept a second sign here, and names for infinity and not-a-number.
    let allowed = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
    if text.starts_with(['+', '-']) || !text.bytes().all(allowed) {
        return Err(ParseError::Syntax);
    }
    text.parse().map_err(|_| ParseError::Syntax)
}

fn hexadecimal_value(text: &str) -> Result<f64, ParseError> {
    let (mantissa, exponent) = text.split_once(['p', 'P']).ok_or(ParseError::Syntax)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if whole.is_empty() && fraction.is_empty() || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ParseError::Syntax);
    }
    let mut value = 0.0_f64;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = digit.to_digit(16).ok_or(ParseError::Syntax)?;
        value = value * 16.0 + f64::from(digit);
    }
    // No mantissa can compensate for an exponent that does not fit.
    let size = digits.parse::<i32>().unwrap_or(i32::MAX / 2);
    let exponent = if exponent.starts_with('-') { -size } else { size };
    let fraction_bits = i32::try_from(fraction.len()).unwrap_or(i32::MAX / 8).saturating_mul(4);
    let shift = exponent.saturating_sub(fraction_bits).clamp(-4000, 4000);
    // In two steps, because the power alone may be out of range even if the product is not.
    Ok(if value == 0.0 { 0.0 } else { value * 2.0_f64.powi(shift / 2) * 2.0_f64.powi(shift - shift / 2) })
}
