//! Table-driven decoding of protobuf messages.

use k8s_openapi::ByteString;
use serde_json::{Map, Value, json};

use super::field::{FieldType, Message};
use super::messages;
use tidegate_model::time::Timestamp;

/// The magic prefix of a protobuf body.
const MAGIC: &[u8] = b"k8s\0";

/// A field on the wire.
enum Raw<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

/// Decodes a body; `None` if it is malformed or of an unknown kind.
pub(crate) fn object(body: &[u8]) -> Option<Value> {
    let (mut type_, mut raw) = (None, None);
    for (number, field) in fields(body.strip_prefix(MAGIC)?)? {
        match (number, field) {
            (1, Raw::Bytes(bytes)) => type_ = Some(read(bytes, messages::TYPE)?),
            (2, Raw::Bytes(bytes)) => raw = Some(bytes),
            _ => {}
        }
    }
    let type_ = type_?;
    let text = |name: &str| type_.get(name).and_then(Value::as_str).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let mut object = read(raw.unwrap_or_default(), messages::of(api_version, kind)?)?;
    let members = object.as_object_mut()?;
    members.insert("apiVersion".to_owned(), json!(api_version));
    members.insert("kind".to_owned(), json!(kind));
    Some(object)
}

fn read(bytes: &[u8], message: Message) -> Option<Value> {
    let mut members = Map::new();
    for (number, raw) in fields(bytes)? {
        let Some((_, name, holds)) = message.iter().find(|(known, ..)| *known == number) else { continue };
        let name = (*name).to_owned();
        match (holds, raw) {
            (FieldType::Texts, Raw::Bytes(bytes)) => push(&mut members, name, json!(text(bytes)?)),
            (FieldType::Many(message), Raw::Bytes(bytes)) => push(&mut members, name, read(bytes, message)?),
            (FieldType::TextMap | FieldType::ByteMap, Raw::Bytes(bytes)) => {
                let (key, value) = entry(bytes)?;
                let value = if matches!(holds, FieldType::ByteMap) { encoded(value)? } else { json!(text(value)?) };
                let map = members.entry(name).or_insert_with(|| json!({}));
                map.as_object_mut()?.insert(key.to_owned(), value);
            }
            (holds, raw) => {
                if let Some(value) = single(*holds, &raw)? {
                    members.insert(name, value);
                }
            }
        }
    }
    Some(Value::Object(members))
}

/// Decodes a field that is not repeated; the inner `None` is a value that JSON omits.
fn single(holds: FieldType, raw: &Raw<'_>) -> Option<Option<Value>> {
    Some(match (holds, raw) {
        (FieldType::Text, Raw::Bytes(bytes)) => {
            Some(text(bytes)?).filter(|text| !text.is_empty()).map(|text| json!(text))
        }
        (FieldType::Int, Raw::Number(number)) => Some(*number).filter(|number| *number != 0).map(signed),
        (FieldType::MaybeInt, Raw::Number(number)) => Some(signed(*number)),
        (FieldType::Flag, Raw::Number(number)) => Some(json!(*number != 0)),
        (FieldType::Bytes, Raw::Bytes(bytes)) => Some(encoded(bytes)?),
        (FieldType::Time | FieldType::MicroTime, Raw::Bytes(bytes)) => {
            time(bytes, matches!(holds, FieldType::MicroTime))?
        }
        (FieldType::One(message), Raw::Bytes(bytes)) => Some(read(bytes, message)?),
        _ => return None,
    })
}

fn push(members: &mut Map<String, Value>, name: String, value: Value) {
    if let Some(list) = members.entry(name).or_insert_with(|| json!([])).as_array_mut() {
        list.push(value);
    }
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

fn signed(number: u64) -> Value {
    json!(i64::from_ne_bytes(number.to_ne_bytes()))
}

fn encoded(bytes: &[u8]) -> Option<Value> {
    serde_json::to_value(ByteString(bytes.to_vec())).ok()
}

fn time(bytes: &[u8], micro: bool) -> Option<Option<Value>> {
    let (mut seconds, mut nanos) = (0, 0);
    for (number, field) in fields(bytes)? {
        match (number, field) {
            (1, Raw::Number(number)) => seconds = i64::from_ne_bytes(number.to_ne_bytes()),
            (2, Raw::Number(number)) => nanos = i32::try_from(number).ok()?,
            _ => {}
        }
    }
    // Go's zero time is in the year 1 and means that no time is set.
    if bytes.is_empty() || seconds < -62_000_000_000 {
        return Some(None);
    }
    let at = Timestamp::new(seconds, nanos).ok()?;
    let at = if micro { format!("{at:.6}") } else { format!("{at:.0}") };
    Some(Some(json!(at)))
}

fn entry(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (mut key, mut value): (&str, &[u8]) = ("", &[]);
    for (number, field) in fields(bytes)? {
        match (number, field) {
            (1, Raw::Bytes(bytes)) => key = text(bytes)?,
            (2, Raw::Bytes(bytes)) => value = bytes,
            _ => {}
        }
    }
    Some((key, value))
}

/// Splits a message into its fields; `None` if it is malformed or truncated.
fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, Raw<'_>)>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes)?;
        let raw = match tag & 7 {
            0 => Raw::Number(varint(&mut bytes)?),
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                let (field, rest) = bytes.split_at_checked(length)?;
                bytes = rest;
                Raw::Bytes(field)
            }
            // The known fields of these messages have no other wire type; unknown fields may.
            1 => Raw::Bytes(skip(&mut bytes, 8)?),
            5 => Raw::Bytes(skip(&mut bytes, 4)?),
            _ => return None,
        };
        found.push((tag >> 3, raw));
    }
    Some(found)
}

fn skip<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (field, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(field)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
