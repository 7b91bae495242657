//! The source text of an expression, and its errors, formatted as upstream's compiler formats them.

use std::fmt::Write as _;

/// The source text of an expression as characters, because positions count characters.
#[derive(Debug)]
pub(super) struct Source {
    chars: Vec<char>,
    /// Offsets at which the second and later lines start.
    lines: Vec<usize>,
}

impl Source {
    pub(super) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let lines = chars.iter().enumerate().filter(|(_, c)| **c == '\n').map(|(at, _)| at + 1).collect();
        Self { chars, lines }
    }

    pub(super) fn chars(&self) -> &[char] {
        &self.chars
    }

    /// Returns a part of the source text.
    pub(super) fn slice(&self, from: usize, to: usize) -> String {
        self.chars.get(from..to.min(self.chars.len())).unwrap_or_default().iter().collect()
    }

    /// Returns the line, from 1, and the column, from 0.
    fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.lines.partition_point(|line| *line <= offset);
        let start = before.checked_sub(1).and_then(|at| self.lines.get(at)).copied().unwrap_or(0);
        (before + 1, offset - start)
    }

    fn line(&self, number: usize) -> String {
        let start = number.checked_sub(2).and_then(|at| self.lines.get(at)).copied().unwrap_or(0);
        let end = self.lines.get(number - 1).map_or(self.chars.len(), |next| next - 1);
        self.slice(start, end)
    }
}

/// An error in an expression.
#[derive(Debug)]
pub(super) struct Problem {
    /// The character offset; `None` if the error is about the expression as a whole.
    pub(super) at: Option<usize>,
    /// The message.
    pub(super) message: String,
}

/// All errors in an expression.
#[derive(Debug, Default)]
pub(super) struct Problems {
    list: Vec<Problem>,
    more: usize,
}

/// Maximum number of errors that are reported.
const MOST: usize = 100;
/// Length of the longest line that is shown, in bytes.
const LONGEST_LINE: usize = 16_384;

impl Problems {
    pub(super) fn add(&mut self, at: Option<usize>, message: impl Into<String>) {
        if self.list.len() < MOST {
            self.list.push(Problem { at, message: message.into() });
        } else {
            self.more += 1;
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        for Problem { at, message } in other.list {
            self.add(at, message);
        }
        self.more += other.more;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the first error, and its line and column, both from 1.
    pub(super) fn first(&self, source: &Source) -> Option<(String, Option<(usize, usize)>)> {
        let first = self.list.iter().min_by_key(|problem| problem.at)?;
        let place = first.at.map(|at| source.place(at));
        Some((first.message.clone(), place.map(|(line, column)| (line, column + 1))))
    }

    /// Formats all errors in order of position, each with its source line.
    pub(super) fn format(mut self, source: &Source) -> String {
        self.list.sort_by_key(|problem| problem.at);
        let mut lines: Vec<String> = self.list.iter().map(|problem| format_one(problem, source)).collect();
        if self.more > 0 {
            lines.push(format!("{} more errors were truncated", self.more));
        }
        lines.join("\n")
    }
}

fn format_one(Problem { at, message }: &Problem, source: &Source) -> String {
    let Some(at) = at else { return format!("ERROR: <input>:-1:0: {message}") };
    let (line, column) = source.place(*at);
    let mut text = format!("ERROR: <input>:{line}:{}: {message}", column + 1);
    let shown = source.line(line).replace('\t', " ");
    if source.chars.is_empty() || shown.len() > LONGEST_LINE {
        return text;
    }
    // Wide characters get wide dots, so that the mark is below its character.
    let dots: String = shown.chars().take(column).map(|c| if c.is_ascii() { '.' } else { '\u{ff0e}' }).collect();
    let mark = if shown.chars().nth(column).is_none_or(|c| c.is_ascii()) { '^' } else { '\u{ff3e}' };
    // Writing to a string cannot fail.
    let _ = write!(text, "\n | {shown}\n | {dots}{mark}");
    text
}
