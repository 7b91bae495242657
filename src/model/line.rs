//! Text from outside as part of one line.

/// Returns the text without control characters, each of which becomes `\u{fffd}`: a name from a repository, a hub or a forge must not
/// break a line, steer a terminal, or look like another line.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || is_separator(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns `true` for the characters beside control characters at which some programs begin a new line.
fn is_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
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
}
