//! The errors of a document, at their positions in the file.

use std::fmt;

use granit_parser::{ScanError, Span};

use super::composer::Composer;
use super::syntax_errors;
use crate::yaml::limits::MAX_DEPTH;
use crate::yaml::origin::Error;
use tidegate_model::position::line_and_column;

impl Composer<'_, '_, '_> {
    pub(crate) fn error(&self, span: &Span, message: impl fmt::Display) -> Error {
        self.origin(span).error(message)
    }

    /// Returns the error at a byte offset of the text.
    pub(super) fn error_at(&self, at: usize, message: &str) -> Error {
        let (line, column) = line_and_column(self.text, at);
        self.file.input.origin(self.line + line, column - 1).error(message)
    }

    pub(super) fn too_deep(&self, span: &Span) -> Error {
        self.error(span, format!("the file nests deeper than {MAX_DEPTH} levels; flatten it"))
    }

    /// Converts an error of the parser.
    pub(super) fn broken(&self, error: &ScanError, span: &Span) -> Error {
        if let Some(line) = self.unfinished_merge().filter(|line| *line < span.start.line()) {
            let message = "an unfinished merge starts here, and the file contains both sides; keep one of them";
            return self.file.input.origin(self.line + line + 1, 0).error(message);
        }
        let open = match self
            .flow
            .last()
            .filter(|open| open.start.line() < span.start.line() && !syntax_errors::names_bracket(error))
        {
            Some(open) => format!("; the bracket on line {} is still open", self.origin(open).line),
            None => String::new(),
        };
        self.error(span, format!("this is not valid YAML: {}{open}{}", syntax_errors::describe(error), self.hint(span)))
    }

    /// Returns the line, from 0, on which an unfinished merge starts.
    fn unfinished_merge(&self) -> Option<usize> {
        let start = self.text.lines().position(|line| line.starts_with("<<<<<<< "))?;
        let mut rest = self.text.lines().skip(start);
        (rest.any(|line| line == "=======") && rest.any(|line| line.starts_with(">>>>>>> "))).then_some(start)
    }

    /// Returns advice for a template that is not quoted. An error before the braces has another cause.
    pub(crate) fn hint(&self, span: &Span) -> &'static str {
        let line = self.text.lines().nth(span.start.line().saturating_sub(1)).unwrap_or_default();
        let is_value = line.split_once("{{").is_some_and(|(before, _)| {
            let is_after_braces = span.start.col() >= before.chars().count();
            let before = before.trim_end();
            is_after_braces && (before.is_empty() || before.ends_with([':', '-']))
        });
        if is_value { "; put quotes around a value that starts with \"{{\"" } else { "" }
    }
}
