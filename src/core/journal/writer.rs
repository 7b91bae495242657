//! Who writes the journal. Each commit names its daemon, so that two of them on one journal notice each other.

use std::fmt;
use std::str::FromStr;

use tidegate_model::time::Timestamp;

/// The trailer of a commit that names its writer.
pub const TRAILER: &str = "Daemon";

/// One process that keeps a journal. Displays as `name since time`, as the trailer has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer {
    /// Name of the process, unlike that of any other: its machine and a few digits.
    pub name: String,
    /// When it started.
    pub since: Timestamp,
}

/// What another writer means for this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence {
    /// The other one came later, and gives way.
    Ours,
    /// The other one was there first, and is at work.
    Theirs,
}

impl Writer {
    /// Returns who of two daemons that write at the same time goes on: the one that started first, whatever the order of their commits.
    /// Both come to the same answer.
    pub fn against(&self, other: &Self) -> Precedence {
        if (self.since, &self.name) < (other.since, &other.name) { Precedence::Ours } else { Precedence::Theirs }
    }
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} since {}", self.name, self.since)
    }
}

/// A text that names no writer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no writer of a journal")]
pub struct InvalidWriter(String);

impl FromStr for Writer {
    type Err = InvalidWriter;
    fn from_str(text: &str) -> Result<Self, InvalidWriter> {
        let parts = text.rsplit_once(" since ").and_then(|(name, since)| Some((name, since.parse().ok()?)));
        let (name, since) = parts.ok_or_else(|| InvalidWriter(text.to_owned()))?;
        Ok(Self { name: name.to_owned(), since })
    }
}
