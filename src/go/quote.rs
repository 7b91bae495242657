//! Strings quoted as Go quotes them, for messages that must match upstream's.

use std::fmt::Write as _;

/// Returns the string in double quotes, with unprintable characters escaped.
///
/// # Source
/// Go `strconv.Quote`. Rust decides which characters are printable.
pub fn go_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if is_printed(c) => out.push(c),
            // Writing into a String cannot fail.
            c => drop(match u32::from(c) {
                code @ (0..0x20 | 0x7f) => write!(out, "\\x{code:02x}"),
                code @ 0..0x1_0000 => write!(out, "\\u{code:04x}"),
                code => write!(out, "\\U{code:08x}"),
            }),
        }
    }
    out.push('"');
    out
}

fn is_printed(c: char) -> bool {
    // Rust escapes combining marks only at the start of a string, where they follow no letter.
    c == '\'' || !format!("x{c}").escape_debug().any(|escaped| escaped == '\\')
}
