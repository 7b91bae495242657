//! The field at a place of a JSON value, for messages.

/// Returns the names of the fields that are open at the end of the first part of a JSON value, from the outermost to the innermost.
pub(super) fn path_at(part: &str) -> Vec<String> {
    // For each open object, the field that was named last; for a list, nothing.
    let mut open: Vec<Option<&str>> = Vec::new();
    let mut rest = part;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '{' | '[' => open.push(None),
            '}' | ']' => drop(open.pop()),
            '"' => {
                let Some(end) = end_of_string(rest) else { break };
                let (text, after) = (rest.get(..end), rest.get(end + 1..).unwrap_or_default());
                let is_name = after.is_empty() || after.trim_start().starts_with(':');
                if let Some(last) = open.last_mut().filter(|_| is_name) {
                    *last = text;
                }
                rest = after;
            }
            _ => {}
        }
    }
    open.into_iter().flatten().map(str::to_owned).collect()
}

/// Returns where a string ends whose opening quote has been read.
fn end_of_string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}
