//! Makes untrusted text safe to print on one line.

/// Replaces each control character with `\u{fffd}`: a name from a repository, a hub or a forge must not break a line, control a
/// terminal, or look like another line.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || is_separator(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns `true` for characters that are not control characters but start a new line in some programs.
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
