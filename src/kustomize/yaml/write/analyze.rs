//! The styles in which a string may be written.

/// The styles in which a string may be written.
///
/// # Source
/// go-yaml v2 `yaml_emitter_analyze_scalar`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowed {
    /// Whether it contains line breaks, including those of YAML 1.1.
    pub(crate) multiline: bool,
    pub(crate) plain: bool,
    pub(crate) single: bool,
    pub(crate) block: bool,
}

/// The features of a string.
#[derive(Default)]
struct Features {
    indicator: bool,
    line_end: bool,
    special: bool,
    space_at_start: bool,
    space_at_end: bool,
    line_end_at_edge: bool,
    space_after_line_end: bool,
    space_before_line_end: bool,
}

/// Returns the styles in which a string may be written outside flow collections.
pub(crate) fn allowed(text: &str) -> Allowed {
    if text.is_empty() {
        return Allowed { multiline: false, plain: true, single: true, block: false };
    }
    let features = scan(text);
    let is_hidden = features.space_before_line_end || features.special;
    let is_bare = !(features.space_at_start
        || features.space_at_end
        || features.line_end_at_edge
        || features.line_end
        || features.indicator);
    Allowed {
        multiline: features.line_end,
        plain: is_bare && !is_hidden,
        single: !features.space_after_line_end && !is_hidden,
        block: !features.space_at_end && !is_hidden,
    }
}

fn scan(text: &str) -> Features {
    let mut features =
        Features { indicator: text.starts_with("---") || text.starts_with("..."), ..Features::default() };
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        features.indicator |= is_indicator(before, c, next);
        features.special |= !is_printable(c);
        let (is_first, is_last) = (before.is_none(), next.is_none());
        if c == ' ' {
            features.space_at_start |= is_first;
            features.space_at_end |= is_last;
            features.space_after_line_end |= before.is_some_and(is_line_end);
        } else if is_line_end(c) {
            features.line_end = true;
            features.line_end_at_edge |= is_first || is_last;
            features.space_before_line_end |= before == Some(' ');
        }
        before = Some(c);
    }
    features
}

/// Returns `true` if a character between two others is a YAML indicator.
fn is_indicator(before: Option<char>, c: char, next: Option<char>) -> bool {
    let is_before_space = matches!(next, None | Some(' ' | '\t'));
    let is_after_space = before.is_none_or(|before| matches!(before, ' ' | '\t' | '\0') || is_line_end(before));
    match c {
        ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => before.is_none(),
        '#' => is_after_space,
        '-' | '?' => before.is_none() && is_before_space,
        ':' => is_before_space,
        _ => false,
    }
}

/// Returns `true` if a character is a line break in YAML 1.1.
pub(crate) fn is_line_end(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns `true` if a character is written without an escape.
pub(crate) fn is_printable(c: char) -> bool {
    match c {
        '\n' | ' '..='~' => true,
        '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        c => ('\u{a0}'..'\u{10000}').contains(&c),
    }
}
