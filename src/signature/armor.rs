//! ASCII armor around keys and signatures: lines of base64 between a `BEGIN` and an `END` line.

/// Maximum size of a signature in bytes; signatures of the longest keys have about two thousand bytes.
pub(crate) const MAX_SIGNATURE: usize = 64 * 1024;

const WIDTH: usize = 70;

/// One armored block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// The line number of its `BEGIN`, from 1.
    pub(crate) line: usize,
    /// The label after `BEGIN`.
    pub(crate) label: &'a str,
    /// Everything from the `BEGIN` to the `END` line; `None` if the end is missing.
    pub(crate) text: Option<&'a str>,
}

/// Returns the label of the block that `text` starts with, ignoring leading whitespace.
pub(crate) fn label(text: &str) -> Option<&str> {
    begin(text.trim_start().lines().next()?)
}

fn begin(line: &str) -> Option<&str> {
    line.trim().strip_prefix("-----BEGIN ")?.strip_suffix("-----")
}

/// Returns the blocks in `text`. Anything between them is skipped: people note there whose key it is.
pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut open: Option<(usize, &str, usize)> = None;
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if let Some(label) = begin(line) {
            // A second `BEGIN` means that the end of the first block is missing.
            found.extend(open.map(|(line, label, _)| Block { line, label, text: None }));
            open = Some((number + 1, label, offset));
        } else if line.trim_start().starts_with("-----END ")
            && let Some((begun, label, from)) = open.take()
        {
            found.push(Block { line: begun, label, text: text.get(from..offset + line.len()) });
        }
        offset += line.len();
    }
    found.extend(open.map(|(line, label, _)| Block { line, label, text: None }));
    found
}

/// Returns the first block of `text`, with its base64 in lines of 70 characters.
///
/// OpenSSH writes that width and reads any; other programs write lines of 64 or 76.
pub(crate) fn rewrap(text: &str) -> Option<String> {
    let block = blocks(text).into_iter().next()?;
    let body: String = block
        .text?
        .lines()
        .skip(1)
        .take_while(|line| !line.trim_start().starts_with("-----END "))
        .flat_map(|line| line.chars().filter(|c| !c.is_whitespace()))
        .collect();
    let mut wrapped = format!("-----BEGIN {}-----\n", block.label);
    for (at, digit) in body.chars().enumerate() {
        if at > 0 && at % WIDTH == 0 {
            wrapped.push('\n');
        }
        wrapped.push(digit);
    }
    wrapped.push_str(&format!("\n-----END {}-----\n", block.label));
    Some(wrapped)
}
