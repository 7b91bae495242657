//! A commit, as git stores it.

use super::program::Identity;
use tidegate_model::time::Timestamp;

/// What a commit contains.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) sha: String,
    pub(crate) parents: Vec<String>,
    pub(crate) tree: String,
    pub(crate) author: Identity,
    pub(crate) committer: Identity,
    pub(crate) message: String,
}

impl Commit {
    /// Reads a commit with this id. What is missing is empty: git has checked it.
    pub(super) fn parse(sha: &str, content: &[u8]) -> Self {
        let text = String::from_utf8_lossy(content);
        let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let all = |field: &'static str| head.lines().filter_map(move |line| line.strip_prefix(field));
        let first = |field: &'static str| all(field).next().unwrap_or_default();
        Self {
            sha: sha.to_owned(),
            parents: all("parent ").map(str::to_owned).collect(),
            tree: first("tree ").to_owned(),
            author: identity(first("author ")),
            committer: identity(first("committer ")),
            message: message.to_owned(),
        }
    }
}

/// Reads a line such as `Ada <ada@example.com> 1800000000 +0000`.
fn identity(line: &str) -> Identity {
    let (name, rest) = line.split_once(" <").unwrap_or((line, ""));
    let (email, time) = rest.split_once("> ").unwrap_or((rest, ""));
    let seconds = time.split(' ').next().and_then(|seconds| seconds.parse().ok());
    let at = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    Identity { name: name.to_owned(), email: email.to_owned(), at: at.unwrap_or(Timestamp::UNIX_EPOCH) }
}
