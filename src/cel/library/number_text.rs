//! Floating-point numbers as Go formats them.

/// Formats a number as `%g` does: the shortest digits that identify it, with an exponent if it is far from 1.
pub(super) fn general(number: f64) -> String {
    if let Some(text) = special(number, "+Inf", "-Inf") {
        return text;
    }
    let exponent = decimal_exponent(number);
    if (-4..6).contains(&exponent) { format!("{number}") } else { with_exponent(&format!("{number:e}")) }
}

/// Formats a number with a fixed number of digits after the decimal point.
pub(super) fn fixed(number: f64, digits: usize) -> String {
    format!("{number:.digits$}")
}

/// Formats a number with one digit before the decimal point, `digits` digits after it, and an exponent.
pub(super) fn scientific(number: f64, digits: usize) -> String {
    with_exponent(&format!("{number:.digits$e}"))
}

/// Formats a number with the shortest digits that identify it, without an exponent.
pub(super) fn plain(number: f64) -> String {
    special(number, "Infinity", "-Infinity").unwrap_or_else(|| format!("{number}"))
}

fn special(number: f64, positive: &str, negative: &str) -> Option<String> {
    match number {
        _ if number.is_nan() => Some("NaN".to_owned()),
        f64::INFINITY => Some(positive.to_owned()),
        f64::NEG_INFINITY => Some(negative.to_owned()),
        _ => None,
    }
}

fn decimal_exponent(number: f64) -> i32 {
    let text = format!("{number:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// Rewrites the exponent as in Go: with a sign and at least two digits.
fn with_exponent(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}
