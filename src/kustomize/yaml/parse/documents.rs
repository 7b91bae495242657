//! Splits a resource file into documents.

/// A document before it is parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chunk<'a> {
    /// Number of lines before it.
    pub(crate) line: usize,
    pub(crate) text: &'a str,
}

/// A line that starts with `---` and continues with something else. Holds its number, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadSeparator {
    pub(crate) line: usize,
}

/// Splits a text at lines that start with `---`, even where a YAML parser would not see a document separator.
///
/// # Source
/// kyaml `kio.splitDocuments`: each separator includes the line break before it, so that the first line of a document is never a
/// separator, and it must end with a line break. Spaces and a comment may follow the dashes.
pub(crate) fn documents(text: &str) -> Result<Vec<Chunk<'_>>, BadSeparator> {
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
