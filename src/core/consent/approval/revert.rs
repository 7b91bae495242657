//! Reads from a commit message what the commit reverts.

use tidegate_model::revision::CommitId;

use super::quoted::subject;

const SENTENCE: &str = "This reverts commit ";

/// What a commit reverts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revert {
    /// The subject of the reverted commit, if the message's subject quotes it.
    pub title: Option<String>,
    /// The commits whose full ids are in the message, in that order.
    ///
    /// # Shape
    /// Abbreviated ids are left out, because they may be ambiguous.
    pub commits: Vec<CommitId>,
}

/// Returns what a message says it reverts; `None` if it reverts nothing.
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
