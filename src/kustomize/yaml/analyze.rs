//! The styles in which a string may be written.

/// The styles in which a string may be written.
///
/// # Source
/// go-yaml v2 `yaml_emitter_analyze_scalar`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allowed {
    /// Whether it contains line breaks, including those of YAML 1.1.
    pub(super) multiline: bool,
    pub(super) plain: bool,
    pub(super) single: bool,
    pub(super) block: bool,
}

/// The features of a string.
#[derive(Default)]
struct Seen {
    indicator: bool,
    line_end: bool,
    special: bool,
    blank_at_start: bool,
    blank_at_end: bool,
    line_end_at_edge: bool,
    blank_behind_line_end: bool,
    blank_before_line_end: bool,
}

/// Returns the styles in which a string may be written outside flow collections.
pub(super) fn allowed(text: &str) -> Allowed {
    if text.is_empty() {
        return Allowed { multiline: false, plain: true, single: true, block: false };
    }
    let seen = look(text);
    let is_hidden = seen.blank_before_line_end || seen.special;
    let is_bare =
        !(seen.blank_at_start || seen.blank_at_end || seen.line_end_at_edge || seen.line_end || seen.indicator);
    Allowed {
        multiline: seen.line_end,
        plain: is_bare && !is_hidden,
        single: !seen.blank_behind_line_end && !is_hidden,
        block: !seen.blank_at_end && !is_hidden,
    }
}

fn look(text: &str) -> Seen {
    let mut seen = Seen { indicator: text.starts_with("---") || text.starts_with("..."), ..Seen::default() };
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        seen.indicator |= is_indicator(before, c, next);
        seen.special |= !is_printable(c);
        let (is_first, is_last) = (before.is_none(), next.is_none());
        if c == ' ' {
            seen.blank_at_start |= is_first;
            seen.blank_at_end |= is_last;
            seen.blank_behind_line_end |= before.is_some_and(is_line_end);
        } else if is_line_end(c) {
            seen.line_end = true;
            seen.line_end_at_edge |= is_first || is_last;
            seen.blank_before_line_end |= before == Some(' ');
        }
        before = Some(c);
    }
    seen
}

/// Returns `true` if a character between two others is a YAML indicator.
fn is_indicator(before: Option<char>, c: char, next: Option<char>) -> bool {
    let is_followed_by_blank = matches!(next, None | Some(' ' | '\t'));
    let is_behind_blank = before.is_none_or(|before| matches!(before, ' ' | '\t' | '\0') || is_line_end(before));
    match c {
        ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => before.is_none(),
        '#' => is_behind_blank,
        '-' | '?' => before.is_none() && is_followed_by_blank,
        ':' => is_followed_by_blank,
        _ => false,
    }
}

/// Returns `true` if a character is a line break in YAML 1.1.
pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns `true` if a character is written without an escape.
pub(super) fn is_printable(c: char) -> bool {
    match c {
        '\n' | ' '..='~' => true,
        '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        c => ('\u{a0}'..'\u{10000}').contains(&c),
    }
}
