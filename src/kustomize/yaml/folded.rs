//! What becomes of line ends where text is folded.

use super::analyze::allowed;

/// Returns `true` if go-yaml v3 writes text of several lines as a block: what cannot stand in one is written in quotes, and tabs can.
pub(super) fn may_stand_in_block(text: &str) -> bool {
    text.contains('\n') && allowed(&text.replace('\t', "x")).block
}

/// Returns what text behind `>` becomes when it is written and read again; `None` if it stays as it is.
///
/// # Source
/// go-yaml v3 writes one line end too many before a line that begins with a blank, and at an end of several.
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

/// Folds lines that end with U+0085, as a reader of quoted text does: one becomes a blank, more become one line end less.
pub(super) fn without_next_line(text: &str) -> Option<String> {
    if !text.contains('\u{85}') {
        return None;
    }
    let lines: Vec<&str> = text.split('\u{85}').collect();
    let last = lines.len() - 1;
    let mut out = String::with_capacity(text.len());
    let mut ends = 0;
    for (i, line) in lines.into_iter().enumerate() {
        // Blanks around a line end go; tabs and other line ends are escaped in JSON, and stay.
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
