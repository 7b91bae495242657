//! Makes untrusted text safe to print on one line or on several.

/// The last character of a text that was cut.
pub const CUT: char = '…';

/// Replaces each control character with `\u{fffd}`: a name from a repository, a hub or a forge must not break a line, control a
/// terminal, or look like another line. Characters that reorder or hide others are replaced, too.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns a text without control characters, cut to a number of characters.
pub fn cut(text: &str, width: usize) -> String {
    // The rest of a very long text is not looked at.
    let start: String = text.chars().take(width.saturating_add(1)).collect();
    let line = one_line(&start);
    if line.chars().count() <= width {
        return line;
    }
    line.chars().take(width.saturating_sub(1)).chain([CUT]).collect()
}

/// Returns a message as a short line: its words, separated by single spaces, without control characters, cut to a number of
/// characters.
pub fn brief(message: &str, width: usize) -> String {
    let mut line = String::new();
    for word in message.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        // A character has at most four bytes.
        if line.len() > width.saturating_mul(4) {
            break;
        }
    }
    cut(&line, width)
}

/// Replaces each word that contains a digit with `#`, so that messages can be compared that differ only in numbers, addresses,
/// times and generated names.
pub fn without_numbers(text: &str) -> String {
    let word = |word: &str| if word.contains(|c: char| c.is_ascii_digit()) { "#".to_owned() } else { word.to_owned() };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Replaces the same characters as [`one_line`], but keeps newlines and tabs.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if is_unsafe(c) && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

fn is_unsafe(c: char) -> bool {
    c.is_control() || is_separator(c) || is_misleading(c)
}

/// Returns `true` for characters that are not control characters but start a new line in some programs.
fn is_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Returns `true` for characters that change the order of others on the screen, or that are invisible.
///
/// # Source
/// Unicode Technical Report 36, "Bidirectional Text Spoofing", and CVE-2021-42574.
fn is_misleading(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_breaks_the_line() {
        assert_eq!(
            one_line("a\nb\r\u{1b}[31m\u{85}\u{2028}\té"),
            "a\u{fffd}b\u{fffd}\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}é"
        );
    }

    #[test]
    fn no_character_reorders_or_hides_others() {
        assert_eq!(one_line("a\u{202e}b\u{2066}c\u{feff}"), "a\u{fffd}b\u{fffd}c\u{fffd}");
    }

    #[test]
    fn several_lines_keep_their_newlines_and_tabs() {
        assert_eq!(visible("a\n\tb\r\u{202e}"), "a\n\tb\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_message_becomes_a_short_line() {
        assert_eq!(brief(" denied:\n\tby  x\u{1b}[2J ", 20), "denied: by x\u{fffd}[2J");
        assert_eq!(brief("ééééé", 4), "ééé…");
        assert_eq!(brief(&"a\n".repeat(1_000_000), 9), "a a a a …");
        assert_eq!(cut("abc", 3), "abc");
    }

    #[test]
    fn messages_that_differ_only_in_numbers_are_the_same() {
        let message = |port: u16| without_numbers(&format!("read tcp 10.0.0.1:{port}->10.0.0.2:443: i/o timeout"));
        assert_eq!((message(4711), message(4712).as_str()), (message(4712), "read tcp # i/o timeout"));
        assert_ne!(without_numbers("a 1"), without_numbers("b 1"));
    }
}
