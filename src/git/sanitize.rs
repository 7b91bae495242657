//! Sanitizes text from the remote so that it may be shown.

use gix::bstr::ByteSlice;

/// Maximum number of characters shown of remote text.
const SHOWN: usize = 400;

/// Returns text of a remote without the control characters that can manipulate terminals.
pub(crate) fn printable(text: &[u8]) -> String {
    let text = text.to_str_lossy();
    text.chars().filter(|c| *c == '\n' || !c.is_control()).collect::<String>().trim_end().to_owned()
}

/// Returns text of a remote for use in a sentence: on one line, and of limited length.
pub(crate) fn one_line(text: &[u8]) -> String {
    let text = printable(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Returns what the remote said as the end of a sentence; empty if it said nothing.
pub(crate) fn remote_message(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!("; it says {message:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remote_text_is_one_line_of_bounded_length() {
        assert_eq!(one_line(b" remote: \x1b[31mno\r\n\tentry\n"), "remote: [31mno entry");
        assert_eq!(one_line("\u{e9}".repeat(1_000).as_bytes()).chars().count(), SHOWN + 3);
        assert_eq!(remote_message(&one_line(b" \n")), "");
        assert_eq!(remote_message("no"), "; it says \"no\"");
    }
}
