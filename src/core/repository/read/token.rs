//! Finds the end of a YAML token in its line.

/// Returns the token that starts at a column of a line, counted in characters from 1: a quoted string, an indicator, or a plain
/// scalar. Beyond the end of the line it is empty.
///
/// The context is ignored: a plain scalar always ends at a comma or bracket, although outside of brackets YAML would continue
/// it.
pub fn token(line: &str, column: u32) -> &str {
    let start = (column as usize).saturating_sub(1);
    let Some((start, first)) = line.char_indices().nth(start) else { return "" };
    let rest = line.get(start..).unwrap_or_default();
    let end = match first {
        '"' | '\'' => quoted(rest, first),
        '[' | ']' | '{' | '}' | ',' => Some(1),
        '|' | '>' | '&' | '*' | '!' => rest.find(char::is_whitespace),
        _ => plain(rest),
    };
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default().trim_end()
}

/// Returns the end of a quoted string, if it ends on this line.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if escaped {
            escaped = false;
        } else if character == '\\' && quote == '"' {
            escaped = true;
        } else if character == quote {
            // Two single quotes are an escaped single quote.
            if quote == '\'' && characters.next_if(|(_, next)| *next == quote).is_some() {
                continue;
            }
            return Some(at + 1);
        }
    }
    None
}

/// Returns the end of a plain scalar or of a key, if something follows it.
fn plain(text: &str) -> Option<usize> {
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_last = |next: Option<&(usize, char)>| next.is_none_or(|(_, next)| next.is_whitespace());
        let ends = match character {
            ',' | ']' | '}' => true,
            ':' => is_last(characters.peek()),
            '#' => at > 0 && before.is_whitespace(),
            _ => false,
        };
        if ends {
            // A colon alone is a token too.
            return Some(at.max(1));
        }
        before = character;
    }
    None
}
