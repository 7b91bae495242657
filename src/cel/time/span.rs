//! Durations, in nanoseconds.

const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// One more than the longest duration.
const LIMIT: u64 = 1 << 63;

/// Parses a duration such as `1h30m` or `-0.5s`.
pub(crate) fn parse_span(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    if unsigned == "0" {
        return Some(0);
    }
    if unsigned.is_empty() {
        return None;
    }
    let (mut total, mut rest) = (0_u64, unsigned);
    while !rest.is_empty() {
        let (part, behind) = part(rest)?;
        total = total.checked_add(part).filter(|total| *total <= LIMIT)?;
        rest = behind;
    }
    match (negative, total) {
        (true, LIMIT) => Some(i64::MIN),
        (true, total) => i64::try_from(total).ok().map(|total| -total),
        (false, total) => i64::try_from(total).ok(),
    }
}

/// Parses a number with its unit. Returns the nanoseconds and the rest of the text.
fn part(text: &str) -> Option<(u64, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = text.split_at_checked(digits(text))?;
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(behind) => behind.split_at_checked(digits(behind))?,
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (unit, rest) =
        rest.split_at_checked(rest.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(rest.len()))?;
    let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let whole = whole.checked_mul(*unit).filter(|value| whole <= LIMIT && *value <= LIMIT)?;
    let (fraction, scale) = leading(fraction);
    let fraction = (fraction as f64 * (*unit as f64 / scale)) as u64;
    whole.checked_add(fraction).filter(|value| *value <= LIMIT).map(|value| (value, rest))
}

/// Returns the leading digits of a fraction that fit into 63 bits, and the power of ten to divide them by.
fn leading(digits: &str) -> (u64, f64) {
    let (mut value, mut scale) = (0_u64, 1.0);
    for digit in digits.bytes().map(|digit| u64::from(digit - b'0')) {
        let Some(next) = value.checked_mul(10).and_then(|value| value.checked_add(digit)).filter(|next| *next < LIMIT)
        else {
            break;
        };
        value = next;
        scale *= 10.0;
    }
    (value, scale)
}

/// Formats a duration in seconds.
pub(crate) fn span_text(nanoseconds: i64) -> String {
    format!("{}s", span_in(nanoseconds, 1_000_000_000))
}

/// Returns a duration in a unit, rounded as Go rounds it: the whole units plus the rest as a fraction.
pub(crate) fn span_in(nanoseconds: i64, unit: i64) -> f64 {
    (nanoseconds / unit) as f64 + (nanoseconds % unit) as f64 / unit as f64
}
