//! Type resolution of plain scalars.

use super::kind::Kind;
use super::number::Number;
use super::{number, timestamp};

/// How a file is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schema {
    /// Resource files: `yes`, `no`, `on`, `off`, `y` and `n` are strings.
    ///
    /// # Source
    /// go-yaml v3.
    Resource,
    /// Kustomization files: these words are booleans, and dates are strings.
    ///
    /// # Source
    /// go-yaml v2 with the conversion of `sigs.k8s.io/yaml`.
    Kustomization,
}

/// Returns the kind of a plain scalar.
pub fn kind_of(text: &str, schema: Schema) -> Kind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Kind::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => return Kind::Bool,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "n" | "N" | "no" | "No" | "NO" | "off" | "Off"
        | "OFF" => {
            return if schema == Schema::Kustomization { Kind::Bool } else { Kind::String };
        }
        _ => {}
    }
    if timestamp::normal(text).is_some() {
        return if schema == Schema::Kustomization { Kind::String } else { Kind::Timestamp };
    }
    match number::parse(text) {
        Some(Number::Float(_)) => Kind::Float,
        Some(_) => Kind::Integer,
        None => Kind::String,
    }
}

/// Returns `true` if a boolean is true.
pub(crate) fn is_true(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON")
}

/// Returns `true` if a string must be quoted, because a parser would treat it as another type.
///
/// # Source
/// go-yaml v2 `stringv`: strings that its own parser resolves to another type, and base 60 numbers.
pub(crate) fn needs_quotes(text: &str) -> bool {
    kind_of(text, Schema::Kustomization) != Kind::String || timestamp::normal(text).is_some() || is_base_60(text)
}

/// Returns `true` for a number such as `190:20:30`.
fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut parts = unsigned.split(':');
    let is_head = parts
        .next()
        .is_some_and(|head| head.starts_with(|c: char| c.is_ascii_digit()) && head.bytes().all(is_digit_or_underscore));
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return false };
    let (last, fraction) = last.split_once('.').unwrap_or((last, ""));
    is_head
        && middle.iter().all(|part| is_sixtieth(part))
        && is_sixtieth(last)
        && fraction.bytes().all(is_digit_or_underscore)
}

fn is_digit_or_underscore(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'_'
}

fn is_sixtieth(part: &str) -> bool {
    match part.as_bytes() {
        [digit] => digit.is_ascii_digit(),
        [tens, digit] => (b'0'..=b'5').contains(tens) && digit.is_ascii_digit(),
        _ => false,
    }
}
