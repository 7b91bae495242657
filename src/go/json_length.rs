//! The length of the JSON that Go writes, without writing it.

use serde_json::{Number, Value};

use crate::canonical::go_json;

/// Counts the bytes that [`go_json`] would write, without building the string, since a fleet is measured often.
pub fn json_length(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Bool(flag) => {
            if *flag {
                4
            } else {
                5
            }
        }
        Value::Number(number) => number_length(number),
        Value::String(text) => text_length(text),
        Value::Array(items) => 1 + items.len().max(1) + items.iter().map(json_length).sum::<usize>(),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| text_length(name) + 1 + json_length(value);
            1 + members.len().max(1) + members.iter().map(member).sum::<usize>()
        }
    }
}

fn number_length(number: &Number) -> usize {
    match number.as_u64() {
        Some(number) if i64::try_from(number).is_ok() => number.checked_ilog10().unwrap_or(0) as usize + 1,
        _ => go_json(&Value::Number(number.clone())).len(),
    }
}

fn text_length(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | 0x8 | b'\t' | b'\n' | 0xc | b'\r' => 1,
        0..0x20 | b'<' | b'>' | b'&' => 5,
        _ => 0,
    };
    let separators = if text.is_ascii() { 0 } else { text.matches(['\u{2028}', '\u{2029}']).count() };
    2 + text.len() + text.bytes().map(escaped).sum::<usize>() + 3 * separators
}
