//! Reading of messages by tables of their fields.

use k8s_openapi::ByteString;
use serde_json::{Map, Value, json};

use super::messages;
use tidegate_model::time::Timestamp;

/// What a body in binary form begins with.
const MAGIC: &[u8] = b"k8s\0";

/// The fields of a message: number, name in JSON, and what it holds.
pub(super) type Message = &'static [(u64, &'static str, Holds)];

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Holds {
    /// A text; left out if it is empty.
    Text,
    /// Texts.
    Texts,
    /// A number; left out if it is 0.
    Int,
    /// A number that may be 0.
    MaybeInt,
    /// A boolean.
    Flag,
    /// Bytes.
    Bytes,
    /// Texts by their names.
    TextMap,
    /// Bytes by their names.
    ByteMap,
    /// A time, to the second.
    Time,
    /// A time, to the microsecond.
    MicroTime,
    /// A message.
    One(Message),
    /// Messages.
    Many(Message),
}

/// A field as it came.
enum Raw<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

/// Reads a body; `None` if it is no such body, or of a kind that is not known.
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
            (Holds::Texts, Raw::Bytes(bytes)) => push(&mut members, name, json!(text(bytes)?)),
            (Holds::Many(message), Raw::Bytes(bytes)) => push(&mut members, name, read(bytes, message)?),
            (Holds::TextMap | Holds::ByteMap, Raw::Bytes(bytes)) => {
                let (key, value) = entry(bytes)?;
                let value = if matches!(holds, Holds::ByteMap) { encoded(value)? } else { json!(text(value)?) };
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

/// Reads a field that is there once; the inner `None` is a value that JSON leaves out.
fn single(holds: Holds, raw: &Raw<'_>) -> Option<Option<Value>> {
    Some(match (holds, raw) {
        (Holds::Text, Raw::Bytes(bytes)) => Some(text(bytes)?).filter(|text| !text.is_empty()).map(|text| json!(text)),
        (Holds::Int, Raw::Number(number)) => Some(*number).filter(|number| *number != 0).map(signed),
        (Holds::MaybeInt, Raw::Number(number)) => Some(signed(*number)),
        (Holds::Flag, Raw::Number(number)) => Some(json!(*number != 0)),
        (Holds::Bytes, Raw::Bytes(bytes)) => Some(encoded(bytes)?),
        (Holds::Time | Holds::MicroTime, Raw::Bytes(bytes)) => time(bytes, matches!(holds, Holds::MicroTime))?,
        (Holds::One(message), Raw::Bytes(bytes)) => Some(read(bytes, message)?),
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
    // The year 1 is Go's zero: no time at all.
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

/// Cuts a message into its fields; `None` if it ends too early.
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
            // No field of these messages has another form; one that is not known may.
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
