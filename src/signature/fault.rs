//! What is wrong with a file of trusted keys, and where.

use std::fmt;

/// A complaint about one place of a file of trusted keys.
///
/// # Shape
/// Printed as `line:column: message`; the name of the file stands before it where the caller knows one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what is right.
    pub message: String,
}

impl Fault {
    pub(super) fn new(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Fault {}
