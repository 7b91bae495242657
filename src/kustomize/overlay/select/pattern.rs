//! Patterns of names and kinds.

use regex::{Regex, RegexBuilder};

use crate::yaml::{Fault, Origin};

/// How large a compiled pattern may become, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// A pattern that a whole text must match, capitals and small letters apart.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// Everything.
    Any,
    /// This text.
    Plain(String),
    /// What a regular expression takes.
    Regex(Regex),
}

impl Pattern {
    /// Reads a pattern; an empty one takes everything.
    ///
    /// # Errors
    /// [`Fault`] if it is no regular expression.
    pub(super) fn read(text: &str, origin: Origin) -> Result<Self, Fault> {
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
                // What is wrong stands in the last line, below a picture of the expression.
                error => error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
            };
            let message =
                format!("{text:?} is no regular expression: {why}; write \\ before characters that mean themselves");
            Fault::new(origin, message)
        })
    }

    /// Returns `true` if the pattern takes a text.
    pub(super) fn takes(&self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Plain(plain) => plain == text,
            Self::Regex(regex) => regex.is_match(text),
        }
    }

    /// Returns the only text that it takes.
    pub(super) fn plain(&self) -> Option<&str> {
        match self {
            Self::Plain(plain) => Some(plain),
            Self::Any | Self::Regex(_) => None,
        }
    }

    /// Returns `true` if it takes everything since nothing was asked for.
    pub(super) fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }
}
