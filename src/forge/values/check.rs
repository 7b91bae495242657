//! Check runs of GitHub Apps.

use tidegate_model::revision::CommitId;

use super::status::State;

/// A check run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRun {
    /// Its name.
    pub name: String,
    /// The commit that it is about.
    pub commit: CommitId,
    /// Its state.
    pub state: State,
    /// The title of its page.
    pub title: String,
    /// The first part of its page, in Markdown. It is cut to GitHub's limit.
    pub summary: String,
    /// The second part of its page, in Markdown. It is cut to GitHub's limit.
    pub text: String,
    /// The page with more details.
    pub link: Option<String>,
    /// Messages about lines of files.
    pub annotations: Vec<Annotation>,
}

/// A message about lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// The path in the repository.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u64,
    /// The last line.
    pub end_line: u64,
    /// How bad it is.
    pub level: Level,
    /// What is to be said.
    pub message: String,
}

/// How bad the subject of an annotation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// It is a remark.
    Notice,
    /// It is probably a mistake.
    Warning,
    /// It must be changed.
    Failure,
}
