//! JSON exactly as Go writes it, byte for byte, and the hash of it.
//!
//! Spec hashes must match the ones that upstream computes, or moving a hub from upstream would restart every rollout.

use std::fmt::Write as _;

use serde_json::{Number, Value};
use sha2::{Digest as _, Sha256};

use crate::float::format_json;

/// Returns a value as compact JSON, as Go's `encoding/json` writes it: keys sorted by their UTF-8 bytes,
/// `<`, `>`, `&`, U+2028 and U+2029 escaped, floats in Go's shortest form.
///
/// # Source
/// Go `encoding/json`, Go 1.22 and later.
pub fn go_json(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) => write_number(n, out),
        Value::String(s) => write_string(s, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        // serde_json uses a BTreeMap here, so the keys are already sorted; sorting again would slow down every hash.
        Value::Object(members) => write_members(members.iter(), out),
    }
}

fn write_members<'a>(members: impl Iterator<Item = (&'a String, &'a Value)>, out: &mut String) {
    out.push('{');
    for (i, (name, value)) in members.enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_string(name, out);
        out.push(':');
        write_value(value, out);
    }
    out.push('}');
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    // Most of a string is copied unchanged, run by run.
    while let Some(plain) = rest.bytes().position(|byte| !is_plain(byte)) {
        let (run, tail) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        out.push_str(run);
        let mut tail = tail.chars();
        if let Some(c) = tail.next() {
            write_char(c, out);
        }
        rest = tail.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Returns `true` if characters that start with the byte need no escape. U+2028 and U+2029 do; like some other
/// characters, they start with 0xe2.
const fn is_plain(byte: u8) -> bool {
    byte >= b' ' && !matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2)
}

fn write_char(c: char, out: &mut String) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
            // Writing into a String cannot fail.
            let _ = write!(out, "\\u{:04x}", c as u32);
        }
        c => out.push(c),
    }
}

fn write_number(number: &Number, out: &mut String) {
    if let Some(i) = number.as_i64() {
        let _ = write!(out, "{i}");
        return;
    }
    out.push_str(&format_json(number.as_f64().unwrap_or(0.0)));
}

/// Returns the string that the spec hash of a configuration object is computed from: the Go JSON of all top-level fields
/// except `apiVersion`, `kind`, `metadata` and `status`.
///
/// # Source
/// OCM addon-framework `GetSpecHash` (v1.3.0).
pub fn hashed_text(object: &Value) -> String {
    let members = object.as_object().into_iter().flatten();
    let counts = |name: &str| !matches!(name, "apiVersion" | "kind" | "metadata" | "status");
    let mut out = String::new();
    write_members(members.filter(|(name, _)| counts(name)), &mut out);
    out
}

/// Returns the spec hash of a configuration object: the SHA-256 of its [`hashed_text`] in lowercase hexadecimal.
pub fn spec_hash(object: &Value) -> String {
    sha256_hex(hashed_text(object).as_bytes())
}

/// Returns the SHA-256 of some bytes in lowercase hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
