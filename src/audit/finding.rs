//! What is wrong with a journal, and where.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::line::one_line;
use tidegate_model::revision::CommitId;

/// The rules of `docs/audit.md`, by which every commit is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A branch of its own has no merges.
    Linear,
    /// Only Tidegate writes the journal.
    Author,
    /// Commits are not dated back.
    Time,
    /// The trailers agree with the files.
    Trailers,
    /// A commit changes something.
    Empty,
    /// A merge leaves out nothing of the journal.
    Dropped,
    /// Signatures hold.
    Signature,
    /// Only files of the journal are there.
    Path,
    /// A document is what its place says.
    Document,
    /// A document stands as Tidegate writes it.
    Bytes,
    /// `README.md` agrees with the documents.
    Page,
    /// Files that belong together come and go together.
    Pair,
    /// What is sealed stays as it is.
    Sealed,
    /// Rollouts are numbered without gaps, and continue one another.
    Number,
    /// What began a rollout stays as it is.
    Fixed,
    /// A rollout ends once.
    Outcome,
    /// A rollout that has ended is sealed in the same commit, as it stood.
    Seal,
    /// A rollout is completed by all clusters.
    Completed,
    /// The numbers agree with the clusters.
    Counts,
    /// A cluster has started on what it has.
    Started,
    /// No time runs backwards.
    Backwards,
    /// Nothing happens after it is told.
    Future,
    /// A cluster that is done waits for nothing.
    Settled,
    /// A cluster is listed until it is reported how it lost the add-on.
    Removed,
    /// The identity of the instance never changes.
    Instance,
    /// A daemon stops when one that started earlier is at work.
    Rival,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = serde_json::to_value(self).ok().and_then(|name| Some(name.as_str()?.to_owned()));
        f.pad(&name.unwrap_or_default())
    }
}

/// Something that is wrong with a file of a commit, or with the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The rule that it breaks.
    pub rule: Rule,
    /// The line of the file, from 1, where it has one.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
    /// What should be there, where that is known.
    pub expected: Option<String>,
}

impl Problem {
    /// Returns what is wrong, without a place.
    pub fn new(rule: Rule, problem: impl Into<String>) -> Self {
        Self { rule, line: None, problem: problem.into(), expected: None }
    }

    /// Adds the line.
    pub fn at(self, line: Option<usize>) -> Self {
        Self { line, ..self }
    }

    /// Adds what should be there.
    pub fn expected(self, expected: impl Into<String>) -> Self {
        Self { expected: Some(expected.into()), ..self }
    }
}

/// Something that is wrong with a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The commit that did it.
    pub commit: CommitId,
    /// Who is its author, as it says.
    pub author: String,
    /// The rule that it breaks.
    pub rule: Rule,
    /// The file; absent where the commit itself is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line of the file, from 1, as the commit leaves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
    /// What should be there, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
}

impl fmt::Display for Finding {
    /// One line. What was read from the journal cannot look like another finding.
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
