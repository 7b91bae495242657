//! Problems of a journal, and where they are.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::line::one_line;
use tidegate_model::revision::CommitId;

/// The rules of `docs/audit.md` that every commit is checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The journal's own branch has no merges.
    Linear,
    /// Only Tidegate writes the journal.
    Author,
    /// Commits are not backdated.
    Time,
    /// The trailers agree with the files.
    Trailers,
    /// A commit changes something.
    Empty,
    /// A merge drops nothing from the journal.
    Dropped,
    /// Signatures are good.
    Signature,
    /// There are no files other than those of the journal.
    Path,
    /// A document matches its path.
    Document,
    /// A document is byte for byte what Tidegate writes.
    Bytes,
    /// `README.md` agrees with the documents.
    Page,
    /// Files that belong together are added and removed together.
    Pair,
    /// A sealed file never changes.
    Sealed,
    /// Rollouts are numbered without gaps, and each starts where the previous one left off.
    Number,
    /// What a rollout started with never changes.
    Fixed,
    /// A rollout ends once.
    Outcome,
    /// A rollout that ends is sealed in the same commit, in its final state.
    Seal,
    /// A rollout is completed only when all clusters succeeded.
    Completed,
    /// The counts agree with the clusters.
    Counts,
    /// A cluster has started on the configuration that it has.
    Started,
    /// Times do not go backward.
    Backwards,
    /// No time is later than the commit that reports it.
    Future,
    /// A cluster that has succeeded waits for nothing.
    Settled,
    /// A cluster is listed until it is reported as removed.
    Removed,
    /// The identity of the instance never changes.
    Instance,
    /// A daemon stops when one that started earlier is active.
    Rival,
    /// No cluster starts without the approvals that it needs.
    Gate,
    /// Rules take effect only as the rules before them allow.
    Rules,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = serde_json::to_value(self).ok().and_then(|name| Some(name.as_str()?.to_owned()));
        f.pad(&name.unwrap_or_default())
    }
}

/// A problem with a file of a commit, or with the commit itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The rule that it breaks.
    pub rule: Rule,
    /// The line of the file, from 1, if there is one.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
    /// What should be there, if known.
    pub expected: Option<String>,
}

impl Problem {
    /// Creates a problem without a line.
    pub fn new(rule: Rule, problem: impl Into<String>) -> Self {
        Self { rule, line: None, problem: problem.into(), expected: None }
    }

    /// Sets the line.
    pub fn at(self, line: Option<usize>) -> Self {
        Self { line, ..self }
    }

    /// Sets what should be there.
    pub fn expected(self, expected: impl Into<String>) -> Self {
        Self { expected: Some(expected.into()), ..self }
    }
}

/// A problem in a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The commit that caused it.
    pub commit: CommitId,
    /// The author that the commit names.
    pub author: String,
    /// The rule that it breaks.
    pub rule: Rule,
    /// The file; absent if the problem is the commit itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line of the file, from 1, as the commit leaves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
    /// What should be there, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
}

impl fmt::Display for Finding {
    /// Writes one line. Text from the journal is put on one line, so it cannot look like another finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.commit.short())?;
        match (&self.path, self.line) {
            (Some(path), Some(line)) => write!(f, " {}:{line}", one_line(path))?,
            (Some(path), None) => write!(f, " {}", one_line(path))?,
            (None, _) => {}
        }
        write!(f, ": {} ({})", one_line(&self.problem), self.rule)?;
        match &self.expected {
            Some(expected) => write!(f, "; expected: {}", one_line(expected)),
            None => Ok(()),
        }
    }
}
