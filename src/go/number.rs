//! Numbers in Go's syntax, for the percentages of strategies and placements.

/// Why a string is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
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
pub fn parse(text: &str) -> Result<f64, Fault> {
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
        return Err(Fault::Syntax);
    }
    let value = match hexadecimal {
        Some(digits) => hexadecimal_value(&digits.replace('_', ""))?,
        None => decimal_value(&unsigned.replace('_', ""))?,
    };
    if value.is_infinite() { Err(Fault::Range) } else { Ok(sign * value) }
}

/// Returns `true` if each `_` has a digit or the prefix `0x` before it, and a digit after it.
fn underscores_separate_digits(text: &str, hexadecimal: bool) -> bool {
    let bytes = text.as_bytes();
    let is_digit =
        |at: usize| bytes.get(at).is_some_and(|b| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() });
    text.match_indices('_').all(|(at, _)| at > 0 && (is_digit(at - 1) || (hexadecimal && at == 2)) && is_digit(at + 1))
}

fn decimal_value(text: &str) -> Result<f64, Fault> {
    // Rust would also accept a second sign here, and names for infinity and not-a-number.
    let allowed = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
    if text.starts_with(['+', '-']) || !text.bytes().all(allowed) {
        return Err(Fault::Syntax);
    }
    text.parse().map_err(|_| Fault::Syntax)
}

fn hexadecimal_value(text: &str) -> Result<f64, Fault> {
    let (mantissa, exponent) = text.split_once(['p', 'P']).ok_or(Fault::Syntax)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if whole.is_empty() && fraction.is_empty() || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Fault::Syntax);
    }
    let mut value = 0.0_f64;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = digit.to_digit(16).ok_or(Fault::Syntax)?;
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
