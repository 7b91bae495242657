//! Quantities such as `500m` or `1Gi` in the spelling that Kubernetes gives back.
//!
//! # Source
//! Kubernetes apimachinery `resource.Quantity`, `ParseQuantity` and `CanonicalizeBytes`.

const NANOS: i128 = 1_000_000_000;
const MAX_NANOS: i128 = i64::MAX as i128 * NANOS;

const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

enum Scale {
    Decimal(i32),
    Exponent(i32),
    /// A power of 1024.
    Binary(u32),
}

/// Returns the canonical spelling of a quantity, or `None` if the text is none or has more digits than any quantity needs.
pub fn canonical(text: &str) -> Option<String> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    let scale = scale(suffix)?;
    let nanos = nanos(number, &scale)?;
    if nanos == 0 {
        return Some("0".to_owned());
    }
    let sign = if negative { "-" } else { "" };
    Some(format!("{sign}{}", spelled(nanos, &scale)))
}

fn scale(suffix: &str) -> Option<Scale> {
    if let Some((_, exponent)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return Some(Scale::Decimal(*exponent));
    }
    if let Some(power) = (1..).zip(BINARY).find_map(|(power, name)| (name == suffix).then_some(power)) {
        return Some(Scale::Binary(power));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    (-30..=30).contains(&exponent).then_some(Scale::Exponent(exponent))
}

/// Returns the magnitude in billionths, rounded up and capped as Kubernetes does.
fn nanos(number: &str, scale: &Scale) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let mantissa: i128 = match format!("{whole}{fraction}").as_str() {
        "" => 0,
        digits => digits.parse().ok()?,
    };
    let places = i32::try_from(fraction.len()).ok()?;
    let (mantissa, exponent) = match scale {
        Scale::Decimal(exponent) | Scale::Exponent(exponent) => (mantissa, exponent - places),
        Scale::Binary(power) => (mantissa.checked_mul(1024_i128.pow(*power))?, -places),
    };
    let shift = exponent + 9;
    let factor = 10_i128.checked_pow(shift.unsigned_abs())?;
    let nanos = if shift >= 0 {
        mantissa.checked_mul(factor)?
    } else {
        mantissa.div_euclid(factor) + i128::from(mantissa % factor != 0)
    };
    Some(nanos.min(MAX_NANOS))
}

fn spelled(nanos: i128, scale: &Scale) -> String {
    if matches!(scale, Scale::Binary(_)) && nanos % NANOS == 0 && nanos / NANOS >= 1024 {
        let (mut value, mut power) = (nanos / NANOS, 0);
        while value % 1024 == 0 && power < BINARY.len() {
            value /= 1024;
            power += 1;
        }
        return match power.checked_sub(1).and_then(|at| BINARY.get(at)) {
            Some(suffix) => format!("{value}{suffix}"),
            None => value.to_string(),
        };
    }
    let (mut value, mut exponent) = (nanos, -9);
    while value % 10 == 0 {
        value /= 10;
        exponent += 1;
    }
    while exponent % 3 != 0 {
        value *= 10;
        exponent -= 1;
    }
    match (scale, DECIMAL.iter().find(|(_, power)| *power == exponent)) {
        (Scale::Exponent(_), _) if exponent != 0 => format!("{value}e{exponent}"),
        (_, Some((suffix, _))) => format!("{value}{suffix}"),
        (_, None) => format!("{value}e{exponent}"),
    }
}
