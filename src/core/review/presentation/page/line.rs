//! A line of text, in pieces: own words, numbers, and values that a format has to escape.

use tidegate_model::line::one_line;
use tidegate_model::time::parse_go_duration;

use super::span;

/// The most characters of a name. Names of Kubernetes objects have up to 253.
const LONGEST_NAME: usize = 300;
/// The most characters of a sentence.
const LONGEST_SENTENCE: usize = 1_000;

/// A line of text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line(pub(crate) Vec<Piece>);

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Our own words, which have no meaning in Markdown or HTML.
    Words(&'static str),
    /// A number.
    Number(usize),
    /// A name or a value.
    Name(String),
    /// A sentence that contains names and values.
    Sentence(String),
    /// The seconds of a duration.
    Seconds(u64),
    /// A share, in thousandths.
    Share(u16),
    /// The lines that a change adds and removes.
    Lines(usize, usize),
    /// Emphasized text.
    Bold(Line),
}

impl Line {
    /// Returns a line of our own words.
    pub(super) fn of(words: &'static str) -> Self {
        Self::default().words(words)
    }

    pub(super) fn words(self, words: &'static str) -> Self {
        self.with(Piece::Words(words))
    }

    pub(super) fn number(self, number: usize) -> Self {
        self.with(Piece::Number(number))
    }

    /// Adds a name or a value, on one line and not longer than a limit.
    pub(super) fn name(self, name: &str) -> Self {
        self.with(Piece::Name(shortened(name, LONGEST_NAME)))
    }

    /// Adds a sentence that contains names and values.
    pub(super) fn sentence(self, sentence: &str) -> Self {
        self.with(Piece::Sentence(shortened(sentence, LONGEST_SENTENCE)))
    }

    /// Adds a number with its noun. `nouns` are the singular and the plural.
    pub(super) fn counted(self, count: usize, nouns: [&'static str; 2]) -> Self {
        self.number(count).words(" ").words(if count == 1 { nouns[0] } else { nouns[1] })
    }

    /// Adds a duration as Go writes it. Anything else is shown as it is.
    pub(super) fn span(self, span: &str) -> Self {
        match parse_go_duration(span) {
            Ok(duration) => self.with(Piece::Seconds(span::seconds(duration))),
            Err(_) => self.name(span),
        }
    }

    /// Adds a number of seconds; a negative one is 0.
    pub(super) fn seconds(self, seconds: i64) -> Self {
        self.with(Piece::Seconds(u64::try_from(seconds).unwrap_or_default()))
    }

    /// Adds a share from 0 to 1. Only 0 is shown as 0%, and only 1 as 100%.
    pub(super) fn share(self, share: f64) -> Self {
        let thousandths = match share {
            share if share <= 0.0 => 0.0,
            share if share >= 1.0 => 1000.0,
            share => (share * 1000.0).round().clamp(1.0, 999.0),
        };
        self.with(Piece::Share(thousandths as u16))
    }

    /// Returns a moment after the merge; `span` is a duration as Go writes it, or empty if the moment is not known.
    pub(super) fn after_merge(span: &str) -> Self {
        match span {
            "" => Self::of("not known"),
            "0s" => Self::of("at the merge"),
            span => Self::of("+ ").span(span),
        }
    }

    /// Adds the lines that a change adds and removes.
    pub(super) fn lines(self, (added, removed): (usize, usize)) -> Self {
        self.with(Piece::Lines(added, removed))
    }

    pub(super) fn bold(self, line: Line) -> Self {
        self.with(Piece::Bold(line))
    }

    pub(super) fn then(mut self, line: Line) -> Self {
        self.0.extend(line.0);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn with(mut self, piece: Piece) -> Self {
        self.0.push(piece);
        self
    }
}

impl FromIterator<Line> for Line {
    fn from_iter<T: IntoIterator<Item = Line>>(lines: T) -> Self {
        lines.into_iter().fold(Line::default(), Line::then)
    }
}

/// Returns lines one after the other, with words between them.
pub(super) fn joined(lines: impl IntoIterator<Item = Line>, separator: &'static str) -> Line {
    let mut all = Line::default();
    for line in lines {
        all = if all.is_empty() { line } else { all.words(separator).then(line) };
    }
    all
}

/// Returns the first lines, and the number of the others.
pub(super) fn some(lines: impl Iterator<Item = Line>, most: usize, separator: &'static str) -> Line {
    let mut lines: Vec<Line> = lines.collect();
    let more = lines.len().saturating_sub(most);
    if more > 0 {
        lines.truncate(most);
        lines.push(Line::default().number(more).words(" more"));
    }
    joined(lines, separator)
}

/// Returns text on one line, cut to a number of characters.
fn shortened(text: &str, most: usize) -> String {
    let text = text.trim();
    let line = |text: &str| one_line(&text.replace(['\n', '\r', '\t'], " "));
    match text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)) {
        None => line(text),
        Some(start) => line(start) + "…",
    }
}
