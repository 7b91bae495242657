//! Finds out what a commit merges, from the messages that Git and the forges write.

use std::fmt;

use super::quoted::{number, single, subject};

/// What a commit merges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merge {
    /// A pull request, merged with a merge commit.
    PullRequest {
        /// Its number.
        number: u64,
        /// Its title, if the message has it.
        title: Option<String>,
        /// The source branch, such as `ada/topic`.
        branch: Option<String>,
        /// The target branch, if the message has it.
        target: Option<String>,
    },
    /// A pull request, squashed into one ordinary commit.
    Squash {
        /// Its number.
        number: u64,
        /// The subject without the number.
        title: String,
    },
    /// A GitLab merge request.
    MergeRequest {
        /// Its number within the project.
        number: u64,
        /// The project, such as `group/project`; empty if the message names only the number.
        project: String,
        /// The source branch, if the message has it.
        branch: Option<String>,
        /// The target branch, if the message has it.
        target: Option<String>,
    },
    /// A branch, merged without a forge.
    Branch {
        /// The source branch.
        branch: String,
        /// The target branch, if the message has it.
        target: Option<String>,
    },
}

impl Merge {
    /// Returns the number of the pull request or merge request.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::PullRequest { number, .. } | Self::Squash { number, .. } | Self::MergeRequest { number, .. } => {
                Some(*number)
            }
            Self::Branch { .. } => None,
        }
    }
}

impl fmt::Display for Merge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PullRequest { number, .. } | Self::Squash { number, .. } => write!(f, "pull request #{number}"),
            Self::MergeRequest { number, project, .. } => write!(f, "merge request {project}!{number}"),
            Self::Branch { branch, .. } => write!(f, "branch {branch}"),
        }
    }
}

/// Returns what a commit merges, according to its message.
pub(super) fn read(message: &str) -> Option<Merge> {
    let subject = subject(message);
    merge_request(message, subject)
        .or_else(|| gitea(subject))
        .or_else(|| github(message, subject))
        .or_else(|| bitbucket(subject))
        .or_else(|| azure(subject))
        .or_else(|| plain_branch(subject))
        .or_else(|| squash(subject))
}

/// GitLab: `See merge request group/project!34` on its own line. The subject may name the branches.
fn merge_request(message: &str, subject: &str) -> Option<Merge> {
    let (project, number) = message.lines().rev().find_map(|line| {
        let (project, digits) = line.trim().strip_prefix("See merge request ")?.rsplit_once('!')?;
        let (number, rest) = number(digits)?;
        (rest.is_empty() && !project.contains(char::is_whitespace)).then(|| (project.to_owned(), number))
    })?;
    let (branch, target) = match plain_branch(subject) {
        Some(Merge::Branch { branch, target }) => (Some(branch), target),
        _ => (None, None),
    };
    Some(Merge::MergeRequest { number, project, branch, target })
}

/// GitHub: `Merge pull request #12 from ada/topic`, with the title in the next paragraph.
fn github(message: &str, subject: &str) -> Option<Merge> {
    let (number, rest) = number(subject.strip_prefix("Merge pull request #")?)?;
    let branch = match rest.strip_prefix(" from ") {
        Some(branch) => Some(word(branch)?),
        None if rest.is_empty() => None,
        None => return None,
    };
    let title = message.lines().map(str::trim).filter(|line| !line.is_empty()).nth(1).map(str::to_owned);
    Some(Merge::PullRequest { number, title, branch, target: None })
}

/// Gitea and Forgejo: `Merge pull request 'title' (#12) from ada/topic into main`.
fn gitea(subject: &str) -> Option<Merge> {
    let (title, rest) = single(subject.strip_prefix("Merge pull request ")?, " (")?;
    let (number, rest) = number(rest.strip_prefix(" (#").or_else(|| rest.strip_prefix(" (!"))?)?;
    let branches = rest.strip_prefix(')')?.strip_prefix(" from ");
    let (branch, target) = match branches.map(|branches| branches.split_once(" into ").unwrap_or((branches, ""))) {
        Some((branch, target)) => (word(branch), word(target)),
        None => (None, None),
    };
    Some(Merge::PullRequest { number, title: Some(title.to_owned()), branch, target })
}

/// Bitbucket: `Merged in topic (pull request #12)`; the project may come before the branch.
fn bitbucket(subject: &str) -> Option<Merge> {
    let (branch, rest) = subject.strip_prefix("Merged in ")?.rsplit_once(" (pull request #")?;
    let (number, rest) = number(rest)?;
    (rest == ")").then(|| Merge::PullRequest { number, title: None, branch: word(branch), target: None })
}

/// Azure: `Merged PR 12: title`.
fn azure(subject: &str) -> Option<Merge> {
    let (number, rest) = number(subject.strip_prefix("Merged PR ")?)?;
    let title = rest.strip_prefix(": ")?.to_owned();
    Some(Merge::PullRequest { number, title: Some(title), branch: None, target: None })
}

/// Git: `Merge branch 'x'`, `Merge remote-tracking branch 'x' into 'main'`, with or without quotes around the target.
fn plain_branch(subject: &str) -> Option<Merge> {
    let rest = subject.strip_prefix("Merge ")?;
    let rest = rest.strip_prefix("remote-tracking ").unwrap_or(rest).strip_prefix("branch ")?;
    let (branch, rest) = single(rest, " into ").or_else(|| single(rest, ""))?;
    let target = rest.split_once("into ").and_then(|(_, target)| word(target.trim_matches('\'')));
    Some(Merge::Branch { branch: branch.to_owned(), target })
}

/// GitHub, Gitea and others: `title (#12)`.
fn squash(subject: &str) -> Option<Merge> {
    let (title, rest) = subject.rsplit_once(" (#")?;
    let (number, rest) = number(rest)?;
    (rest == ")" && !title.is_empty()).then(|| Merge::Squash { number, title: title.trim_end().to_owned() })
}

fn word(text: &str) -> Option<String> {
    (!text.is_empty() && !text.contains(char::is_whitespace)).then(|| text.to_owned())
}
