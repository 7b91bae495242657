//! How other YAML parsers read a plain scalar.
//!
//! # Source
//! YAML 1.1 "Language-Independent Types" (bool, int, float, timestamp), and YAML 1.2 "Core Schema". kubectl supports most of 1.1,
//! and so does the loader.

use serde_json::Value;

/// Returns how some other YAML parser reads an unquoted scalar, if it differs from the value `here`.
///
/// Harmless differences are ignored: hexadecimal and binary numbers, `~`, and timestamps, which are strings to all parsers that
/// Kubernetes uses.
pub(super) fn elsewhere(scalar: &str, here: &Value) -> Option<String> {
    if let Some(word) = boolean(scalar) {
        return Some(if here.is_boolean() { text("1.2") } else { format!("the boolean {word} to YAML 1.1 parsers") });
    }
    let digits = scalar.strip_prefix(['-', '+']).unwrap_or(scalar);
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let only = |others: &str| digits.bytes().all(|byte| byte.is_ascii_digit() || others.as_bytes().contains(&byte));
    let of_1_1 = |what: &str| Some(format!("{what} to YAML 1.1 parsers"));
    if digits.len() > 1 && digits.starts_with('0') && only("") {
        let decimal = digits.trim_start_matches('0');
        return match decimal {
            "" => None,
            decimal if decimal.contains(['8', '9']) => Some(text("1.1")),
            decimal => Some(format!("the number {decimal} to YAML 1.2 parsers")),
        };
    }
    if digits.contains('_') && only("_.") && !digits.ends_with('_') {
        return if here.is_number() { Some(text("1.2")) } else { of_1_1("the number without underscores") };
    }
    if is_sexagesimal(digits) {
        return of_1_1("a base-60 number");
    }
    if is_date(scalar) {
        return of_1_1("a date");
    }
    (is_exponent(digits) && here.is_number()).then(|| text("1.1"))
}

fn text(version: &str) -> String {
    format!("a string to YAML {version} parsers")
}

/// Returns the value of a word that is a boolean in YAML 1.1 but not in YAML 1.2.
pub(super) fn boolean(word: &str) -> Option<bool> {
    match word {
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(true),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns `true` if it is like `12:30:45`: after the first part, each is a number below 60.
fn is_sexagesimal(digits: &str) -> bool {
    let Some((first, rest)) = digits.split_once(':') else { return false };
    is_number(first) && rest.split(':').all(|part| is_number(part) && part.parse::<u8>().is_ok_and(|n| n < 60))
}

/// Returns `true` if it is like `2026-11-05`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.splitn(4, '-').collect();
    match parts.as_slice() {
        [year, month, day] => {
            parts.iter().all(|part| is_number(part)) && year.len() == 4 && month.len() <= 2 && day.len() <= 2
        }
        _ => false,
    }
}

/// Returns `true` if it is like `12e3`, which may be the start of a hash.
fn is_exponent(digits: &str) -> bool {
    digits.split_once(['e', 'E']).is_some_and(|(number, exponent)| is_number(number) && is_number(exponent))
}
