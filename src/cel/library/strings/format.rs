//! String formatting: `'%s has %d nodes'.format([name, count])`.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 ext/formatting_v2.go.

use std::fmt::Write as _;

use crate::context::{Context, EvalError};
use crate::time::span_in;
use crate::value::{List, Map, Value};
use tidegate_go::float::{format_e, format_f};

/// How to format a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clause {
    Text,
    Decimal,
    /// With a number of digits after the decimal point.
    Fixed(usize),
    Scientific(usize),
    Binary,
    Octal,
    Hexadecimal {
        upper: bool,
    },
}

/// Digits after the decimal point if no precision is given.
const DEFAULT_PRECISION: usize = 6;
const MAX_PRECISION: usize = 100;

/// Receives the parts of a format.
pub(crate) trait Sink {
    /// The error type.
    type EvalError: From<String>;

    /// Receives literal text.
    fn plain(&mut self, text: &str) -> Result<(), Self::EvalError>;

    /// Receives a clause and the index of its value.
    fn clause(&mut self, clause: Clause, at: usize) -> Result<(), Self::EvalError>;
}

/// Parses a format for a number of values. Returns how many values it uses.
///
/// # Errors
/// An error in the format, or an error of the sink.
pub(crate) fn walk<S: Sink>(format: &str, values: usize, sink: &mut S) -> Result<usize, S::EvalError> {
    let (mut rest, mut asked) = (format, 0);
    while let Some((before, behind)) = rest.split_once('%') {
        sink.plain(before)?;
        if let Some(behind) = behind.strip_prefix('%') {
            sink.plain("%")?;
            rest = behind;
            continue;
        }
        if behind.is_empty() {
            return Err("unexpected end of string".to_owned().into());
        }
        if asked >= values {
            return Err(format!("index {asked} out of range").into());
        }
        let found = read(behind).map_err(|problem| format!("could not parse formatting clause: {problem}"));
        let (clause, behind) = found.map_err(S::EvalError::from)?;
        sink.clause(clause, asked)?;
        asked += 1;
        rest = behind;
    }
    sink.plain(rest)?;
    Ok(asked)
}

/// Parses a clause. Returns it and the rest of the text.
fn read(text: &str) -> Result<(Clause, &str), String> {
    let (precision, rest) = precision(text).map_err(|problem| format!("error while parsing precision: {problem}"))?;
    let (letter, behind) = rest.split_at_checked(1).unwrap_or((rest, ""));
    let clause = match letter {
        "s" => Clause::Text,
        "d" => Clause::Decimal,
        "f" => Clause::Fixed(precision),
        "e" => Clause::Scientific(precision),
        "b" => Clause::Binary,
        "o" => Clause::Octal,
        "x" => Clause::Hexadecimal { upper: false },
        "X" => Clause::Hexadecimal { upper: true },
        // Upstream works with bytes.
        _ => {
            let byte = rest.bytes().next().map_or(' ', char::from);
            return Err(format!("unrecognized formatting clause \"{byte}\""));
        }
    };
    Ok((clause, behind))
}

fn precision(text: &str) -> Result<(usize, &str), String> {
    let Some(behind) = text.strip_prefix('.') else { return Ok((DEFAULT_PRECISION, text)) };
    let count = behind.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = behind.split_at_checked(count).unwrap_or((behind, ""));
    if rest.is_empty() {
        return Err("could not find end of precision specifier".to_owned());
    }
    let number = |problem: &str| {
        format!("error while converting precision to integer: strconv.Atoi: parsing \"{digits}\": {problem}")
    };
    if digits.is_empty() {
        return Err(number("invalid syntax"));
    }
    let precision: i64 = digits.parse().map_err(|_| number("value out of range"))?;
    match usize::try_from(precision) {
        Ok(fitting) if fitting <= MAX_PRECISION => Ok((fitting, rest)),
        _ => Err(format!("precision {precision} exceeds maximum allowed precision {MAX_PRECISION}")),
    }
}

/// A string being written.
struct Writer<'w, 'c, 'a> {
    text: String,
    values: &'w List<'a>,
    context: &'w mut Context<'c, 'a>,
}

pub(in crate::library) fn format<'a>(
    context: &mut Context<'_, 'a>,
    args: &[Value<'a>],
) -> Result<Value<'a>, EvalError> {
    let [Value::String(format), Value::List(values)] = args else { return Err(EvalError::Failed) };
    let mut writer = Writer { text: String::new(), values, context };
    walk(format, values.len(), &mut writer)?;
    Ok(Value::string(writer.text))
}

impl Sink for Writer<'_, '_, '_> {
    type EvalError = EvalError;

    fn plain(&mut self, text: &str) -> Result<(), EvalError> {
        self.context.meter.allocate(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    fn clause(&mut self, clause: Clause, at: usize) -> Result<(), EvalError> {
        let value = self.values.get(at).ok_or(EvalError::Failed)?;
        let text = match clause {
            Clause::Text => return self.value(&value),
            Clause::Decimal => decimal(&value),
            Clause::Fixed(digits) => {
                floating(&value).map(|number| finite(number, |number| format_f(number, Some(digits))))
            }
            Clause::Scientific(digits) => {
                floating(&value).map(|number| finite(number, |number| format_e(number, Some(digits))))
            }
            Clause::Binary => match value {
                Value::Bool(value) => Some(u8::from(value).to_string()),
                value => integer(&value).map(|(sign, number)| format!("{sign}{number:b}")),
            },
            Clause::Octal => integer(&value).map(|(sign, number)| format!("{sign}{number:o}")),
            Clause::Hexadecimal { upper } => {
                hexadecimal(&value).map(|text| if upper { text.to_uppercase() } else { text })
            }
        };
        self.plain(&text.ok_or(EvalError::Failed)?)
    }
}

impl Writer<'_, '_, '_> {
    /// Writes a value of any type that can be formatted as a string.
    fn value(&mut self, value: &Value<'_>) -> Result<(), EvalError> {
        let text = match value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Int(_) | Value::Uint(_) | Value::Double(_) => decimal(value).unwrap_or_default(),
            Value::String(text) => return self.plain(text),
            Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Value::Duration(span) => format!("{}s", shortest(span_in(*span, 1_000_000_000))),
            Value::Timestamp(timestamp) => timestamp.at_offset(0).text(),
            Value::Type(name) => (*name).to_owned(),
            Value::List(list) => return self.list(list),
            Value::Map(map) => return self.map(map),
            _ => return Err(EvalError::Failed),
        };
        self.plain(&text)
    }

    fn list(&mut self, list: &List<'_>) -> Result<(), EvalError> {
        self.plain("[")?;
        for (at, item) in list.iter().enumerate() {
            self.plain(if at == 0 { "" } else { ", " })?;
            self.value(&item)?;
        }
        self.plain("]")
    }

    fn map(&mut self, map: &Map<'_>) -> Result<(), EvalError> {
        let mut entries = Vec::new();
        for key in map.keys() {
            let value = map.find(&key).ok_or(EvalError::Failed)?;
            entries.push((self.alone(&key)?, self.alone(&value)?));
        }
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        let entries: Vec<String> = entries.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
        self.plain(&format!("{{{}}}", entries.join(", ")))
    }

    /// Returns the formatted value instead of writing it.
    fn alone(&mut self, value: &Value<'_>) -> Result<String, EvalError> {
        let before = std::mem::take(&mut self.text);
        self.value(value)?;
        Ok(std::mem::replace(&mut self.text, before))
    }
}

fn decimal(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Int(number) => Some(number.to_string()),
        Value::Uint(number) => Some(number.to_string()),
        Value::Double(number) => Some(shortest(*number)),
        _ => None,
    }
}

fn floating(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Uint(number) => Some(*number as f64),
        Value::Double(number) => Some(*number),
        _ => None,
    }
}

/// Formats a number with the shortest digits that identify it, without an exponent.
fn shortest(number: f64) -> String {
    finite(number, |number| format_f(number, None))
}

/// Formats a number with a function, or by its name if it is infinite or not a number.
fn finite(number: f64, write: impl FnOnce(f64) -> String) -> String {
    match number {
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ if number.is_nan() => "NaN".to_owned(),
        _ => write(number),
    }
}

fn integer(value: &Value<'_>) -> Option<(&'static str, u64)> {
    match value {
        Value::Int(number) => Some((if *number < 0 { "-" } else { "" }, number.unsigned_abs())),
        Value::Uint(number) => Some(("", *number)),
        _ => None,
    }
}

fn hexadecimal(value: &Value<'_>) -> Option<String> {
    let bytes = match value {
        Value::String(text) => text.as_bytes(),
        Value::Bytes(bytes) => bytes,
        value => return integer(value).map(|(sign, number)| format!("{sign}{number:x}")),
    };
    let mut text = String::with_capacity(bytes.len() * 2);
    // Writing to a string cannot fail.
    bytes.iter().for_each(|byte| write!(text, "{byte:02x}").unwrap_or_default());
    Some(text)
}
