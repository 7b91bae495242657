//! Diagnostics: what is wrong in a file, where, and how to fix it.
//!
//! ```
//! use tidegate_model::diagnostic::{Diagnostic, Place};
//!
//! let place = Place { file: "addon.yaml".to_owned(), line: 4, column: 9 };
//! let diagnostic = Diagnostic::error(place, "spec is missing; add it");
//! assert_eq!(diagnostic.to_string(), "addon.yaml:4:9: spec is missing; add it");
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Path of the file, relative to the root of the repository, or another name of the source.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Place {
    /// Returns the place of the first character of a file.
    pub fn start_of(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: 1, column: 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}:{}", self.file, self.column),
        }
    }
}

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// What the diagnostic is about cannot be used.
    Error,
    /// It is used anyway.
    Warning,
}

/// Something that is wrong, and where. While a file is parsed, `P` is a position that only its reader can resolve to a [`Place`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic<P = Place> {
    /// Where it is.
    pub place: P,
    /// What is wrong, and how to fix it.
    pub message: String,
    /// The severity.
    pub severity: Severity,
}

impl<P> Diagnostic<P> {
    /// Creates an error.
    pub fn error(place: P, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), severity: Severity::Error }
    }

    /// Creates a warning.
    pub fn warning(place: P, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), severity: Severity::Warning }
    }

    /// Returns `true` for an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Replaces the position with the result of a function.
    pub fn map_place<Q>(self, resolve: impl FnOnce(P) -> Q) -> Diagnostic<Q> {
        Diagnostic { place: resolve(self.place), message: self.message, severity: self.severity }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
