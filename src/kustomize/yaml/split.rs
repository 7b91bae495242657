//! Where the documents of a resource file begin and end.

/// A document before it is parsed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chunk<'a> {
    /// Lines before it.
    pub(super) line: usize,
    pub(super) text: &'a str,
}

/// A line that begins with `---` and goes on with something else; its number, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadSeparator {
    pub(super) line: usize,
}

/// Splits a text at the lines that begin with `---`, also where that is no document for a parser.
///
/// # Source
/// kyaml `kio.splitDocuments`: each separator takes the line end before it, so that the first line of a document is none, and a
/// separator has to end with a line end. Blanks and a comment may follow the dashes.
pub(super) fn documents(text: &str) -> Result<Vec<Chunk<'_>>, BadSeparator> {
    let mut chunks = Vec::new();
    let (mut start, mut start_line) = (0, 0);
    let (mut offset, mut is_first) = (0, true);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = offset + line.len();
        if let Some(rest) = line.strip_prefix("---").filter(|rest| !is_first && rest.ends_with('\n')) {
            let rest = rest.trim();
            if !rest.is_empty() && !rest.starts_with('#') {
                return Err(BadSeparator { line: number + 1 });
            }
            chunks.push(Chunk { line: start_line, text: text.get(start..offset).unwrap_or_default() });
            (start, start_line) = (end, number + 1);
            is_first = true;
        } else {
            is_first = false;
        }
        offset = end;
    }
    chunks.push(Chunk { line: start_line, text: text.get(start..).unwrap_or_default() });
    Ok(chunks)
}
