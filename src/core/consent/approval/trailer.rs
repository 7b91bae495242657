//! Trailers: the lines `Key: value` at the end of a message.

/// One trailer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trailer {
    /// The key as written.
    pub key: String,
    /// The value; continuation lines are joined with a space.
    pub value: String,
}

impl Trailer {
    /// Returns `true` if the trailer has this key, ignoring case.
    pub fn is(&self, key: &str) -> bool {
        self.key.eq_ignore_ascii_case(key)
    }
}

/// The kind of a line of the last paragraph.
enum Line<'a> {
    Trailer {
        key: &'a str,
        value: &'a str,
    },
    /// Written by Git itself, which proves that the paragraph consists of trailers.
    Generated,
    Continuation(&'a str),
    Comment,
    Other,
}

/// Returns the trailers of a message.
///
/// # Source
/// git-interpret-trailers(1): the last paragraph, which is not the first one, if all of its lines are trailers, or if Git wrote
/// one of them and at least a quarter are trailers.
pub fn trailers(message: &str) -> Vec<Trailer> {
    let Some(paragraph) = last_paragraph(message) else { return Vec::new() };
    let lines: Vec<Line<'_>> = paragraph.iter().map(|line| classify(line)).collect();
    if is_block(&lines) { collect(lines) } else { Vec::new() }
}

fn last_paragraph(message: &str) -> Option<Vec<&str>> {
    let paragraphs: Vec<Vec<&str>> = message
        .lines()
        .collect::<Vec<&str>>()
        .split(|line| line.trim().is_empty())
        .filter(|paragraph| !paragraph.is_empty())
        .map(<[&str]>::to_vec)
        .collect();
    // The first paragraph is the subject, even if it looks like a trailer.
    paragraphs.into_iter().skip(1).next_back()
}

fn classify(line: &str) -> Line<'_> {
    if line.starts_with('#') {
        return Line::Comment;
    }
    if line.starts_with(char::is_whitespace) {
        return Line::Continuation(line.trim());
    }
    if line.starts_with("(cherry picked from commit ") {
        return Line::Generated;
    }
    let Some((key, value)) = line.split_once(':') else { return Line::Other };
    let key = key.trim_end();
    let is_key = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if is_key { Line::Trailer { key, value: value.trim() } } else { Line::Other }
}

fn is_block(lines: &[Line<'_>]) -> bool {
    let (mut trailers, mut others, mut generated) = (0_usize, 0_usize, false);
    let mut continues_trailer = false;
    for line in lines {
        match line {
            Line::Trailer { key, .. } => {
                trailers += 1;
                generated |= *key == "Signed-off-by";
            }
            Line::Generated => {
                trailers += 1;
                generated = true;
            }
            Line::Continuation(_) if continues_trailer => continue,
            Line::Continuation(_) | Line::Other => others += 1,
            Line::Comment => {}
        }
        continues_trailer = matches!(line, Line::Trailer { .. } | Line::Generated);
    }
    trailers > 0 && (others == 0 || generated && trailers * 3 >= others)
}

fn collect(lines: Vec<Line<'_>>) -> Vec<Trailer> {
    let mut found: Vec<Trailer> = Vec::new();
    let mut continues = false;
    for line in lines {
        match (line, found.last_mut()) {
            (Line::Trailer { key, value }, _) => {
                found.push(Trailer { key: key.to_owned(), value: value.to_owned() });
                continues = true;
            }
            (Line::Continuation(more), Some(trailer)) if continues => {
                if !trailer.value.is_empty() {
                    trailer.value.push(' ');
                }
                trailer.value.push_str(more);
            }
            _ => continues = false,
        }
    }
    found
}
