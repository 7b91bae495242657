//! The text between the scalars and brackets of a document, where go-yaml is stricter than the parser.

use granit_parser::{Event, ScalarStyle, Span, StructureStyle};

/// A complaint: the byte offset in the document, and the message.
pub(crate) type Complaint = (usize, &'static str);

const TAB: &str = "kustomize does not accept a tab here; use spaces";
const ANCHOR: &str = "kustomize accepts only letters, digits, - and _ in the name of an anchor; rename it";
const COLON: &str = "kustomize expects the : on the line of its key; move it there";

/// What the last token was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A token after which a key may start.
    Open,
    /// A scalar without quotes, which takes the blank lines after it: the column of the collection around it in block style.
    Plain(Option<usize>),
    /// Any other value or bracket.
    Closed,
}

/// Checks the separation between tokens.
///
/// # Source
/// go-yaml v3 `yaml_parser_scan_to_next_token`, `yaml_parser_scan_plain_scalar`, `yaml_parser_scan_anchor` and
/// `yaml_parser_fetch_value`.
#[derive(Debug)]
pub(crate) struct Separation {
    /// The byte offset at which the last token ended.
    end: usize,
    last: Last,
    /// The open collections: the column of one in block style, `None` between brackets.
    open: Vec<Option<usize>>,
    /// Whether the key of an entry between brackets is marked with `?`.
    is_marked: bool,
    /// Whether the last token has several lines.
    is_long: bool,
}

impl Separation {
    /// Starts at the start of a document.
    pub(crate) fn new() -> Self {
        Self { end: 0, last: Last::Open, open: Vec::new(), is_marked: false, is_long: false }
    }

    /// Checks the text before an event.
    ///
    /// # Errors
    /// [`Complaint`] if go-yaml does not accept it.
    pub(crate) fn check(&mut self, event: &Event<'_>, span: &Span, text: &str) -> Result<(), Complaint> {
        let (Some(start), Some(end)) = (span.start.byte_offset(), span.end.byte_offset()) else { return Ok(()) };
        if start < end && self.end <= start {
            self.between(text, start)?;
            self.end = end;
            self.is_long = span.start.line() != span.end.line();
            self.last = self.last_of(event);
            if let Last::Plain(indent) = self.last {
                continued(text, start, end, indent)?;
            }
        }
        match event {
            Event::SequenceStart(style, ..) | Event::MappingStart(style, ..) => {
                self.open.push((*style != StructureStyle::Flow).then_some(span.start.col()));
            }
            Event::SequenceEnd | Event::MappingEnd => drop(self.open.pop()),
            Event::Alias(_) => anchor(text, start)?,
            Event::DocumentEnd => self.between(text, document_end(text, self.end))?,
            _ => {}
        }
        Ok(())
    }

    fn is_flow(&self) -> bool {
        self.open.last().is_some_and(Option::is_none)
    }

    /// Returns the column of the innermost collection in block style.
    fn indent(&self) -> Option<usize> {
        self.open.iter().rev().flatten().next().copied()
    }

    fn last_of(&self, event: &Event<'_>) -> Last {
        match event {
            Event::Scalar(_, ScalarStyle::Plain, ..) => Last::Plain(self.indent()),
            Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..) | Event::DocumentStart(..) => Last::Open,
            _ => Last::Closed,
        }
    }

    /// Checks the text from the last token up to an offset.
    fn between(&mut self, text: &str, start: usize) -> Result<(), Complaint> {
        let is_flow = self.is_flow();
        let mut may_start_key = self.last == Last::Open;
        let mut plain = if let Last::Plain(indent) = self.last { Some(indent) } else { None };
        let mut has_break = false;
        let mut at = self.end;
        while let Some(c) = text.get(at..start).and_then(|rest| rest.chars().next()) {
            let here = at;
            at += c.len_utf8();
            match c {
                ' ' => continue,
                '\n' => {
                    has_break = true;
                    may_start_key |= !is_flow;
                    continue;
                }
                '\t' => {
                    let is_refused = match plain {
                        Some(indent) => has_break && indent.is_none_or(|indent| column(text, here) <= indent),
                        None => may_start_key && !is_flow,
                    };
                    if is_refused {
                        return Err((here, TAB));
                    }
                    continue;
                }
                '#' => at += text.get(at..start).and_then(|rest| rest.find('\n')).unwrap_or(start - at),
                '-' | '?' => {
                    may_start_key = !is_flow;
                    self.is_marked |= c == '?';
                }
                ':' if is_flow && !self.is_marked && (has_break || self.is_long) => return Err((here, COLON)),
                ':' => may_start_key = has_break && !is_flow,
                ',' => self.is_marked = false,
                '&' | '!' => {
                    if c == '&' {
                        anchor(text, here)?;
                    }
                    may_start_key = false;
                    let rest = text.get(at..start).unwrap_or_default();
                    at += rest.find([' ', '\t', '\n', ',']).unwrap_or(rest.len());
                }
                _ => {}
            }
            plain = None;
        }
        Ok(())
    }
}

/// Checks the indentation of the lines that continue a scalar without quotes.
fn continued(text: &str, start: usize, end: usize, indent: Option<usize>) -> Result<(), Complaint> {
    let mut at = start;
    for line in text.get(start..end).unwrap_or_default().split_inclusive('\n') {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let is_tab = line.get(spaces..).is_some_and(|rest| rest.starts_with('\t'));
        if at > start && is_tab && indent.is_none_or(|indent| spaces <= indent) {
            return Err((at + spaces, TAB));
        }
        at += line.len();
    }
    Ok(())
}

/// Returns the offset at which the document ends whose last token ends at an offset.
fn document_end(text: &str, last: usize) -> usize {
    let rest = text.get(last..).unwrap_or_default();
    let ends = ["\n---", "\n..."].into_iter().filter_map(|marker| rest.find(marker)).min();
    ends.map_or(text.len(), |at| last + at)
}

/// Returns the column of an offset, from 0.
fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default().chars().count()
}

/// Checks the name of the anchor or alias at an offset.
fn anchor(text: &str, at: usize) -> Result<(), Complaint> {
    let name = text.get(at + 1..).unwrap_or_default();
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let is_end = rest.is_empty() || rest.starts_with([' ', '\t', '\n', ',', ']', '}']);
    if rest.len() < name.len() && is_end { Ok(()) } else { Err((at, ANCHOR)) }
}
