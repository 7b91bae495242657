//! What a commit takes back.

use tidegate_model::revision::CommitId;

use super::quoted::subject;

const SENTENCE: &str = "This reverts commit ";

/// What a commit takes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revert {
    /// The subject of what is taken back, where the subject quotes it.
    pub title: Option<String>,
    /// The commits that the message names in full, in its order.
    ///
    /// # Shape
    /// Shortened ids are left out, because they may mean several commits.
    pub commits: Vec<CommitId>,
}

/// Reads what a message says to revert; `None` if it does not.
///
/// # Source
/// git-revert(1): `Revert "subject"`, and `This reverts commit <id>.` or `This reverts commit <id>, reversing ...`.
pub(super) fn read(message: &str) -> Option<Revert> {
    let quoted = subject(message).strip_prefix("Revert \"").and_then(|rest| rest.rsplit_once('"'));
    let title = quoted.map(|(title, _)| title.to_owned());
    let mut commits: Vec<CommitId> = Vec::new();
    for (at, _) in message.match_indices(SENTENCE) {
        let rest = message.get(at + SENTENCE.len()..).unwrap_or_default();
        let id = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if let Ok(commit) = id.parse()
            && !commits.contains(&commit)
        {
            commits.push(commit);
        }
    }
    (title.is_some() || !commits.is_empty()).then_some(Revert { title, commits })
}
