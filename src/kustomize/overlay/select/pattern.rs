//! Patterns for names and kinds.

use regex::{Regex, RegexBuilder};

use crate::yaml::{Error, Origin};

/// Maximum size of a compiled pattern, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// A pattern that must match a whole string, case-sensitively.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// Any string.
    Any,
    /// This string.
    Plain(String),
    /// Strings that match a regular expression.
    Regex(Regex),
}

impl Pattern {
    /// Reads a pattern. An empty one matches everything.
    ///
    /// # Errors
    /// [`Error`] if it is not a regular expression.
    pub(super) fn read(text: &str, origin: Origin) -> Result<Self, Error> {
        if text.is_empty() {
            return Ok(Self::Any);
        }
        if text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'/' | b':')) {
            return Ok(Self::Plain(text.to_owned()));
        }
        let regex = RegexBuilder::new(&format!("^(?:{text})$")).size_limit(MAX_BYTES).build();
        regex.map(Self::Regex).map_err(|error| {
            let why = match error {
                regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
                // The reason is in the last line, below a display of the expression.
                error => error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
            };
            let message =
                format!("{text:?} is not a regular expression: {why}; write \\ before special characters that are meant literally");
            origin.error(message)
        })
    }

    /// Returns `true` if the pattern matches a string.
    pub(super) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Plain(plain) => plain == text,
            Self::Regex(regex) => regex.is_match(text),
        }
    }

    /// Returns the only string that it matches, if there is just one.
    pub(super) fn plain(&self) -> Option<&str> {
        match self {
            Self::Plain(plain) => Some(plain),
            Self::Any | Self::Regex(_) => None,
        }
    }

    /// Returns `true` if it is empty and so matches everything.
    pub(super) fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }
}
