//! How many bytes a manifest takes in a work.

use serde_json::{Number, Value};

use crate::model::canonical::go_json;

/// Returns the size of a manifest in a work: its protobuf encoding, which holds the JSON text and a line feed.
pub(super) fn size(manifest: &Value) -> usize {
    let length = json_length(manifest) + 1;
    let digits_of_length = (usize::BITS - length.leading_zeros()).div_ceil(7) as usize;
    1 + digits_of_length + length
}

/// Counts the bytes of the text that [`go_json`] writes; a fleet is measured often, and the text is not needed.
fn json_length(value: &Value) -> usize {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn length_is_that_of_the_text() {
        let texts = "\"\\\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}<>&/\u{2027}\u{2028}\u{2029}\u{202a}é😀";
        let numbers = json!([0, 9, 10, -1, 99, 100, i64::MAX, i64::MIN, u64::MAX, 1.0, 1e21, 1e-7, 0.1, -0.0]);
        for value in
            [json!([]), json!({}), json!([[], {}]), json!({"a": null, "<b>": [true, false]}), json!(texts), numbers]
        {
            assert_eq!(json_length(&value), go_json(&value).len(), "{value}");
        }
    }
}
