//! Decodes JSON into the values of Go variables.

use super::held::{Held, List};
use super::shape::{Struct, Type};
use tidegate_go::base64;
use tidegate_go::json::Json;
use tidegate_go::quantity::Quantity;
use tidegate_model::time::Timestamp;

/// Reads JSON into Go variables. Values of a wrong type are skipped, and the first one is reported at the end.
///
/// # Source
/// `sigs.k8s.io/json`, `UnmarshalCaseSensitivePreserveInts`.
#[derive(Default)]
pub(super) struct Decoder {
    /// The struct that is being read, and the fields that lead to this place.
    of: Option<&'static Struct>,
    path: Vec<&'static str>,
    /// The first error.
    wrong: Option<String>,
}

impl Decoder {
    /// Reads a whole document.
    ///
    /// # Errors
    /// Go's error message.
    pub(super) fn read<'a>(mut self, json: &'a Json<'a>, of: &'static Type, held: &mut Held<'a>) -> Result<(), String> {
        self.value(json, of, held)?;
        self.wrong.map_or(Ok(()), Err)
    }

    /// Reads one value. The variable keeps what the value does not mention.
    ///
    /// # Errors
    /// An error that ends the reading at once: a type with a reader of its own refuses the value.
    fn value<'a>(&mut self, json: &'a Json<'a>, of: &'static Type, held: &mut Held<'a>) -> Result<(), String> {
        match (of, json) {
            (Type::Quantity, json) => *held = Held::Quantity(quantity(json)?),
            (Type::Time, Json::Null) | (Type::Raw, Json::Null) => {}
            (Type::Time, json) => self.time(json)?,
            (Type::Raw, json) => *held = Held::Raw(Some(json)),
            (Type::Pointer(_) | Type::List(_) | Type::Map(..) | Type::Bytes, Json::Null) => *held = Held::Nil,
            (_, Json::Null) => {}
            (Type::Pointer(to), json) => {
                if matches!(held, Held::Nil) {
                    *held = Held::zero(to);
                }
                self.value(json, to, held)?;
            }
            (Type::Text(_), Json::String(_)) => *held = Held::Text(json.as_string().unwrap_or_default().into_owned()),
            (Type::Flag, Json::Bool(flag)) => *held = Held::Flag(*flag),
            (Type::Int64, Json::Number(spelled)) => match spelled.parse() {
                Ok(number) => *held = Held::Integer(number),
                Err(_) => self.mismatch(&format!("number {spelled}"), &of.to_string()),
            },
            (Type::Bytes, Json::String(_)) => match base64::decode(&json.as_string().unwrap_or_default()) {
                Ok(bytes) => *held = Held::Bytes(bytes),
                Err(illegal) => self.save(illegal.to_string()),
            },
            (Type::Bytes, Json::Array(items)) => *held = Held::Bytes(self.bytes(items)),
            (Type::List(item), Json::Array(items)) => self.list(items, item, held)?,
            (Type::Map(_, value), Json::Object(_)) => self.map(json, value, held)?,
            (Type::Struct(of), Json::Object(_)) => self.fields(json, of, held)?,
            (of, json) => self.mismatch(kind(json), &of.to_string()),
        }
        Ok(())
    }

    fn list<'a>(&mut self, items: &'a [Json<'a>], of: &'static Type, held: &mut Held<'a>) -> Result<(), String> {
        if items.is_empty() {
            *held = Held::List(List::default());
            return Ok(());
        }
        let mut list = match std::mem::replace(held, Held::Nil) {
            Held::List(list) => list,
            _ => List::default(),
        };
        for (at, json) in items.iter().enumerate() {
            if at >= list.items.len() {
                list.items.push(Held::zero(of));
            }
            if let Some(held) = list.items.get_mut(at) {
                self.value(json, of, held)?;
            }
        }
        list.length = items.len();
        *held = Held::List(list);
        Ok(())
    }

    fn map<'a>(&mut self, json: &'a Json<'a>, of: &'static Type, held: &mut Held<'a>) -> Result<(), String> {
        let mut map = match std::mem::replace(held, Held::Nil) {
            Held::Map(map) => map,
            _ => Default::default(),
        };
        for (name, json) in json.entries() {
            let mut value = Held::zero(of);
            self.value(json, of, &mut value)?;
            map.insert(name.to_string(), value);
        }
        *held = Held::Map(map);
        Ok(())
    }

    fn fields<'a>(&mut self, json: &'a Json<'a>, of: &'static Struct, held: &mut Held<'a>) -> Result<(), String> {
        let Held::Struct(fields) = held else { return Ok(()) };
        for (name, json) in json.entries() {
            let Some(at) = of.position(name) else { continue };
            let (Some(field), Some(held)) = (of.fields.get(at), fields.get_mut(at)) else { continue };
            let outer = self.of.replace(of);
            self.path.push(field.path);
            self.value(json, &field.of, held)?;
            self.path.pop();
            self.of = outer;
        }
        Ok(())
    }

    /// Bytes may also be given as an array of numbers.
    fn bytes(&mut self, items: &[Json<'_>]) -> Vec<u8> {
        let mut byte = |json: &Json<'_>| match json {
            Json::Null => 0,
            Json::Number(spelled) => spelled.parse().unwrap_or_else(|_| {
                self.mismatch(&format!("number {spelled}"), "uint8");
                0
            }),
            other => {
                self.mismatch(kind(other), "uint8");
                0
            }
        };
        items.iter().map(&mut byte).collect()
    }

    fn time(&self, json: &Json<'_>) -> Result<(), String> {
        let Some(text) = json.as_string() else { return Err(self.mismatched(kind(json), "string")) };
        // Go accepts an hour of one digit.
        let padded = match text.split_once('T') {
            Some((day, time)) if time.find(':') == Some(1) => format!("{day}T0{time}"),
            _ => text.to_string(),
        };
        let is_time = padded.as_bytes().get(10) == Some(&b'T') && padded.parse::<Timestamp>().is_ok();
        let layout = "2006-01-02T15:04:05Z07:00";
        if is_time { Ok(()) } else { Err(format!("parsing time {text:?} as {layout:?}: cannot parse")) }
    }

    fn mismatch(&mut self, what: &str, of: &str) {
        self.save(self.mismatched(what, of));
    }

    fn mismatched(&self, what: &str, of: &str) -> String {
        match self.of {
            Some(outer) => {
                let (outer, path) = (outer.short_name(), self.path.join("."));
                format!("json: cannot unmarshal {what} into Go struct field {outer}.{path} of type {of}")
            }
            None => format!("json: cannot unmarshal {what} into Go value of type {of}"),
        }
    }

    fn save(&mut self, wrong: String) {
        self.wrong.get_or_insert(wrong);
    }
}

/// Returns the name of a value's type in Go's messages.
pub(crate) fn kind(json: &Json<'_>) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "bool",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// Returns the canonical form of a quantity. It is read from the raw text of the value, including escapes.
fn quantity(json: &Json<'_>) -> Result<String, String> {
    let text = match json {
        Json::Null => return Ok("0".to_owned()),
        Json::Number(text) | Json::String(text) => text.trim(),
        Json::Bool(_) | Json::Array(_) | Json::Object(_) => "",
    };
    text.parse::<Quantity>().map_err(|fault| fault.to_string())?;
    Ok(Quantity::canonical(text).unwrap_or_default())
}
