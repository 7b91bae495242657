//! The daemons that write the journal. Each commit names its daemon, so that two daemons on one journal notice each other.
//!
//! The replicas of a daemon take turns. Each turn is a *term*, whose number is higher than all earlier ones. A replica writes to the hub only
//! after the remote has accepted the commit that begins its term, so that an earlier leader can push nothing more.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use tidegate_model::time::Timestamp;

/// The name of the trailer that names the writer of a commit.
pub const TRAILER: &str = "Daemon";

/// A process that writes a journal. Displays as `name since time`, and `name since time term number` if it is a replica, as in the trailer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer {
    /// Unique name of the process: its machine and a few digits.
    pub name: String,
    /// When it started.
    pub since: Timestamp,
    /// The term in which it leads; 0 if it is not one of several replicas.
    pub term: u64,
}

/// Which of two writers continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence {
    /// This one; the other one has an earlier term, or started later, and stops.
    Ours,
    /// The other one; it has a later term, or started first.
    Theirs,
}

impl Writer {
    /// Returns which of two daemons that write at the same time continues: the one with the later term, and without terms the one that
    /// started first, regardless of the order of their commits. Both daemons get the same answer.
    pub fn against(&self, other: &Self) -> Precedence {
        let rank = |writer: &Self| (Reverse(writer.term), writer.since, writer.name.clone());
        if rank(self) < rank(other) { Precedence::Ours } else { Precedence::Theirs }
    }
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} since {}", self.name, self.since)?;
        if self.term > 0 { write!(f, " term {}", self.term) } else { Ok(()) }
    }
}

/// A string that is not a writer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a journal writer: expected \"name since time\", or \"name since time term number\"")]
pub struct InvalidWriter(String);

impl FromStr for Writer {
    type Err = InvalidWriter;
    fn from_str(text: &str) -> Result<Self, InvalidWriter> {
        let read = || {
            let (name, rest) = text.rsplit_once(" since ")?;
            let (since, term) = match rest.split_once(" term ") {
                Some((since, term)) => (since, term.parse().ok().filter(|term| *term > 0)?),
                None => (rest, 0),
            };
            Some(Self { name: name.to_owned(), since: since.parse().ok()?, term })
        };
        read().ok_or_else(|| InvalidWriter(text.to_owned()))
    }
}
