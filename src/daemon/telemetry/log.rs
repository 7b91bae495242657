//! Logs: text on a terminal, JSON elsewhere.

use std::io::IsTerminal as _;
use std::str::FromStr;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{LevelFilter, ParseError};

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text, for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// A value that is not a log format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a log format; write text, json or auto")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Parses `text`, `json` or `auto`, which means [`Format::detect`].
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            "auto" => Ok(Self::detect()),
            other => Err(UnknownFormat(other.to_owned())),
        }
    }
}

impl Format {
    /// Returns text if standard error is a terminal, JSON otherwise.
    pub fn detect() -> Self {
        if std::io::stderr().is_terminal() { Self::Text } else { Self::Json }
    }
}

/// A string that is not a log filter.
#[derive(Debug, thiserror::Error)]
pub enum InvalidFilter {
    /// It cannot be parsed.
    #[error("{0}; {EXAMPLES}")]
    Syntax(ParseError),
    /// It has a term that is not a level.
    #[error("{0:?} is not a level; {EXAMPLES}")]
    Level(String),
}

/// What to write instead of an invalid filter.
const EXAMPLES: &str = "write a level or directives, such as debug or info,tidegate=debug";

/// Checks a log filter.
///
/// # Errors
/// [`InvalidFilter`]
pub fn check(filter: &str) -> Result<(), InvalidFilter> {
    EnvFilter::try_new(filter).map_err(InvalidFilter::Syntax)?;
    // A name on its own is treated as a module: everything from it is logged, and nothing from all others.
    let is_level = |word: &&str| word.is_empty() || word.parse::<LevelFilter>().is_ok();
    let words = filter.split(',').map(str::trim).filter(|word| !word.contains(['=', '[']));
    match words.into_iter().find(|word| !is_level(word)) {
        Some(word) => Err(InvalidFilter::Level(word.to_owned())),
        None => Ok(()),
    }
}

/// Starts logging to standard error; `filter` is in the syntax of `RUST_LOG`. A second call changes nothing.
pub fn start(filter: &str, format: Format) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // An error means that logging was already started, for example by a test.
    let _ = match format {
        Format::Text => builder.with_ansi(std::io::stderr().is_terminal()).with_target(false).try_init(),
        Format::Json => builder.json().flatten_event(true).try_init(),
    };
}
