//! What `trust` shows, and what it knows of the file of the daemon.

use serde::Serialize;

/// One way on which something gets onto a cluster, or on which someone gets to decide that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Way {
    /// What gets there.
    pub what: String,
    /// Who can start it.
    pub who: String,
    /// What must hold first; empty if nothing.
    pub guards: Vec<String>,
    /// Who vouches for those guards.
    pub vouched: String,
}

/// A guard that is off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unguarded {
    /// The guard.
    pub guard: String,
    /// What follows.
    pub means: String,
    /// How to turn it on.
    pub remedy: String,
}

/// What the operator's own file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperatorFacts {
    /// Whether a file was given.
    pub has_file: bool,
    /// Which commits must be signed, such as `every`; `None` if none.
    pub signed_commits: Option<&'static str>,
    /// Whether trusted keys are named.
    pub has_keys: bool,
    /// Whether authors count whom no one vouches for.
    pub claimed_authors: bool,
    /// Whether a branch with another history is followed.
    pub accepts_rewrites: bool,
    /// Whether the commits of the journal are signed.
    pub signs_journal: bool,
    /// The number of policies that no repository can loosen.
    pub policies: usize,
    /// Whether people are defined that no repository can redefine.
    pub has_people: bool,
    /// After how long a change of the rules takes effect without an approval.
    pub delay: Option<String>,
    /// Whether reviews on a forge count.
    pub has_forge: bool,
    /// Whether comments on a forge count as approvals.
    pub has_commands: bool,
    /// The kinds that a repository may put on the hub besides the usual ones, in words.
    pub kinds: Vec<String>,
    /// The instances whose objects are taken over.
    pub adopts: Vec<String>,
}
