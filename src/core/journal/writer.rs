//! The daemons that write the journal. Each commit names its daemon, so that two daemons on one journal notice each other.

use std::fmt;
use std::str::FromStr;

use tidegate_model::time::Timestamp;

/// The name of the trailer that names the writer of a commit.
pub const TRAILER: &str = "Daemon";

/// A process that writes a journal. Displays as `name since time`, as in the trailer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer {
    /// Unique name of the process: its machine and a few digits.
    pub name: String,
    /// When it started.
    pub since: Timestamp,
}

/// Which of two writers continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence {
    /// This one; the other one started later and stops.
    Ours,
    /// The other one; it started first.
    Theirs,
}

impl Writer {
    /// Returns which of two daemons that write at the same time continues: the one that started first, regardless of the order of
    /// their commits. Both daemons get the same answer.
    pub fn against(&self, other: &Self) -> Precedence {
        if (self.since, &self.name) < (other.since, &other.name) { Precedence::Ours } else { Precedence::Theirs }
    }
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} since {}", self.name, self.since)
    }
}

/// A string that is not a writer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a journal writer: expected \"name since time\"")]
pub struct InvalidWriter(String);

impl FromStr for Writer {
    type Err = InvalidWriter;
    fn from_str(text: &str) -> Result<Self, InvalidWriter> {
        let parts = text.rsplit_once(" since ").and_then(|(name, since)| Some((name, since.parse().ok()?)));
        let (name, since) = parts.ok_or_else(|| InvalidWriter(text.to_owned()))?;
        Ok(Self { name: name.to_owned(), since })
    }
}
