//! Durations, percentages and numbers as people write them.

use tidegate_model::time::SignedDuration;

/// Returns the whole seconds of a duration, rounded up; a negative one is 0.
pub(super) fn seconds(duration: SignedDuration) -> u64 {
    let whole = u64::try_from(duration.as_secs()).unwrap_or_default();
    whole + u64::from(duration.subsec_nanos() > 0)
}

/// Returns a number of seconds with at most two units: `3 h 10 min`.
pub(crate) fn shown(seconds: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let first = UNITS.iter().position(|(length, _)| seconds >= *length).unwrap_or(UNITS.len() - 1);
    let mut rest = seconds;
    let mut shown = Vec::new();
    for (length, unit) in UNITS.iter().skip(first).take(2) {
        let count = rest / length;
        rest %= length;
        if count > 0 || shown.is_empty() {
            shown.push(format!("{count} {unit}"));
        }
    }
    shown.join(" ")
}

/// Returns a number with a comma between thousands.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// Returns thousandths as a percentage with at most one decimal place.
pub(crate) fn percentage(thousandths: u16) -> String {
    match thousandths % 10 {
        0 => format!("{}%", thousandths / 10),
        tenth => format!("{}.{tenth}%", thousandths / 10),
    }
}
