//! Parses JSON into a tree, and converts the tree to a value.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use super::scanner::{FALSE, NULL, Scanner, SyntaxError, TRUE};
use super::string::unescaped;

/// Go allows a depth of 10,000. No configuration nests that deeply, and each level costs stack here.
const MAX_DEPTH: usize = 500;

/// A JSON document, parsed but not yet interpreted: numbers and strings keep their spelling, and duplicate keys are
/// kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as spelled.
    Number(&'a str),
    /// A string: the raw characters between its quotes. [`Json::as_string`] decodes them.
    String(&'a str),
    /// An array.
    Array(Vec<Self>),
    /// An object, with its entries in document order.
    Object(Vec<(Cow<'a, str>, Self)>),
}

/// A number that is too large for a floating-point number; holds its spelling.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("json: cannot unmarshal number {0} into Go value of type float64")]
pub struct OutOfRange(pub String);

impl<'a> Json<'a> {
    /// Parses a JSON document.
    ///
    /// # Errors
    /// [`SyntaxError`] if the text is not valid JSON, or nests deeper than any configuration does.
    ///
    /// # Source
    /// Go `encoding/json`.
    pub fn parse(text: &'a str) -> Result<Self, SyntaxError> {
        let mut from = Scanner::new(text);
        let json = value(&mut from, 0)?;
        from.skip_space();
        match from.peek() {
            None => Ok(json),
            Some(_) => Err(from.wrong("after top-level value")),
        }
    }

    /// Returns the decoded value of a string; `None` for everything else.
    pub fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Self::String(raw) => Some(unescaped(raw)),
            _ => None,
        }
    }

    /// Returns the entries of an object in document order; no entries for everything else.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Self)> {
        let entries = match self {
            Self::Object(entries) => entries.as_slice(),
            _ => &[],
        };
        entries.iter().map(|(name, json)| (name.as_ref(), json))
    }

    /// Returns the value. The last of duplicate keys wins; a number without a decimal point that fits into 64 bits is an
    /// integer.
    ///
    /// # Errors
    /// [`OutOfRange`] for the first number that is too large, even below a duplicate key that does not win.
    ///
    /// # Source
    /// `sigs.k8s.io/json` `UnmarshalCaseSensitivePreserveInts`, into an empty interface.
    pub fn to_value(&self) -> Result<Value, OutOfRange> {
        self.check_numbers()?;
        self.to_value_without_overwritten()
    }

    fn check_numbers(&self) -> Result<(), OutOfRange> {
        match self {
            Self::Number(spelled) => number(spelled).map(drop),
            Self::Array(items) => items.iter().try_for_each(Self::check_numbers),
            Self::Object(entries) => entries.iter().try_for_each(|(_, json)| json.check_numbers()),
            Self::Null | Self::Bool(_) | Self::String(_) => Ok(()),
        }
    }

    /// Returns the value as [`Json::to_value`] does, but ignores numbers below duplicate keys that do not win.
    ///
    /// # Errors
    /// [`OutOfRange`] for a number that is too large.
    ///
    /// # Source
    /// structured-merge-diff, which first reads numbers as strings.
    pub fn to_value_without_overwritten(&self) -> Result<Value, OutOfRange> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(*flag),
            Self::Number(spelled) => Value::Number(number(spelled)?),
            Self::String(raw) => Value::String(unescaped(raw).into_owned()),
            Self::Array(items) => {
                Value::Array(items.iter().map(Self::to_value_without_overwritten).collect::<Result<_, _>>()?)
            }
            Self::Object(_) => {
                let mut last = BTreeMap::new();
                last.extend(self.entries());
                let entries =
                    last.into_iter().map(|(name, json)| Ok((name.to_owned(), json.to_value_without_overwritten()?)));
                Value::Object(entries.collect::<Result<Map<_, _>, _>>()?)
            }
        })
    }
}

fn number(spelled: &str) -> Result<Number, OutOfRange> {
    // Like Go, Rust does not parse an integer with a decimal point or an exponent.
    if let Ok(integer) = spelled.parse::<i64>() {
        return Ok(integer.into());
    }
    let float = spelled.parse().ok().and_then(Number::from_f64);
    float.ok_or_else(|| OutOfRange(spelled.to_owned()))
}

fn value<'a>(from: &mut Scanner<'a>, depth: usize) -> Result<Json<'a>, SyntaxError> {
    from.skip_space();
    match from.peek() {
        Some(b'{' | b'[') if depth == MAX_DEPTH => Err(from.wrong("exceeded max depth")),
        Some(b'{') => object(from, depth + 1),
        Some(b'[') => array(from, depth + 1),
        Some(b'"') => {
            from.take(b'"');
            from.string().map(Json::String)
        }
        Some(b'-' | b'0'..=b'9') => from.number().map(Json::Number),
        Some(b't') => from.word(&TRUE).map(|()| Json::Bool(true)),
        Some(b'f') => from.word(&FALSE).map(|()| Json::Bool(false)),
        Some(b'n') => from.word(&NULL).map(|()| Json::Null),
        _ => Err(from.wrong("looking for beginning of value")),
    }
}

fn array<'a>(from: &mut Scanner<'a>, depth: usize) -> Result<Json<'a>, SyntaxError> {
    from.take(b'[');
    from.skip_space();
    let mut items = Vec::new();
    if from.take(b']') {
        return Ok(Json::Array(items));
    }
    loop {
        items.push(value(from, depth)?);
        from.skip_space();
        if from.take(b']') {
            return Ok(Json::Array(items));
        }
        if !from.take(b',') {
            return Err(from.wrong("after array element"));
        }
    }
}

fn object<'a>(from: &mut Scanner<'a>, depth: usize) -> Result<Json<'a>, SyntaxError> {
    from.take(b'{');
    from.skip_space();
    let mut entries = Vec::new();
    if from.take(b'}') {
        return Ok(Json::Object(entries));
    }
    loop {
        from.skip_space();
        if !from.take(b'"') {
            return Err(from.wrong("looking for beginning of object key string"));
        }
        let name = unescaped(from.string()?);
        from.skip_space();
        if !from.take(b':') {
            return Err(from.wrong("after object key"));
        }
        entries.push((name, value(from, depth)?));
        from.skip_space();
        if from.take(b'}') {
            return Ok(Json::Object(entries));
        }
        if !from.take(b',') {
            return Err(from.wrong("after object key:value pair"));
        }
    }
}
