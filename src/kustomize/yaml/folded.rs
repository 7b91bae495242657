//! Line breaks in folded text.

use super::analyze::allowed;

/// Returns `true` if go-yaml v3 writes a string as a block: it has several lines and no character that requires quotes. Tabs do
/// not require quotes.
pub(super) fn may_stand_in_block(text: &str) -> bool {
    text.contains('\n') && allowed(&text.replace('\t', "x")).block
}

/// Returns the text of a folded block (`>`) after it is written and read again; `None` if it does not change.
///
/// # Source
/// go-yaml v3 writes one line break too many before a line that starts with whitespace, and at an end of several line breaks.
pub(super) fn rewritten(text: &str) -> Option<String> {
    if !may_stand_in_block(text) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 2);
    let mut rest = text;
    while !rest.is_empty() {
        let line = rest.split('\n').next().unwrap_or_default();
        let tail = rest.get(line.len()..).unwrap_or_default();
        let next = tail.trim_start_matches('\n');
        let ends = tail.len() - next.len();
        let is_bare = !line.is_empty() && !line.starts_with([' ', '\t']);
        let is_more = next.starts_with([' ', '\t']) || (next.is_empty() && ends > 1);
        out.push_str(line);
        out.extend(std::iter::repeat_n('\n', ends + usize::from(is_bare && is_more)));
        rest = next;
    }
    (out != text).then_some(out)
}

/// Folds lines that end with U+0085, as in quoted scalars: one becomes a space, several become one line break fewer.
pub(super) fn without_next_line(text: &str) -> Option<String> {
    if !text.contains('\u{85}') {
        return None;
    }
    let lines: Vec<&str> = text.split('\u{85}').collect();
    let last = lines.len() - 1;
    let mut out = String::with_capacity(text.len());
    let mut ends = 0;
    for (i, line) in lines.into_iter().enumerate() {
        // Spaces around a line break are dropped; tabs and other line breaks are escaped in JSON and stay.
        let line = if i > 0 { line.trim_start_matches(' ') } else { line };
        let line = if i < last { line.trim_end_matches(' ') } else { line };
        if ends > 0 && (i == last || !line.is_empty()) {
            out.push_str(&if ends == 1 { " ".to_owned() } else { "\n".repeat(ends - 1) });
            ends = 0;
        }
        out.push_str(line);
        ends += 1;
    }
    Some(out)
}
