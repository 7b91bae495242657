//! Why something is not proven.

use std::sync::Arc;

use super::evidence::{Evidence, Revision};
use tidegate_journal::record::Sync;
use tidegate_model::revision::CommitId;

/// Why something is not proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is wrong.
    Wrong(String),
    /// The clone does not have what is needed to check it.
    Unchecked(String),
}

/// Returns the doubt about everything that only the followed branch shows.
pub(super) fn no_branch() -> Doubt {
    Doubt::Unchecked(
        "which approvals rollouts needed and had: this clone has no followed branch; fetch it, or name it with --ref"
            .to_owned(),
    )
}

/// Returns a revision.
pub(super) fn revision(evidence: &mut dyn Evidence, commit: &CommitId) -> Result<Arc<Revision>, Doubt> {
    evidence.revision(commit).ok_or_else(|| {
        if evidence.given().is_none() {
            return no_branch();
        }
        let commit = commit.short();
        Doubt::Unchecked(format!(
            "revision {commit} is not in this clone, so what it decides cannot be checked; fetch the followed branch with its history"
        ))
    })
}

/// Checks that a commit is in the history of the followed branch.
pub(super) fn followed(evidence: &mut dyn Evidence, commit: &CommitId, sync: &Sync) -> Result<(), Doubt> {
    let name = commit.short();
    match evidence.is_followed(commit) {
        Some(true) => Ok(()),
        None if evidence.given().is_none() => Err(no_branch()),
        None => Err(Doubt::Unchecked(format!(
            "it cannot be checked whether revision {name} was followed: it is not in this clone"
        ))),
        Some(false) => {
            let replaced = sync.rewritten.as_ref().map(|rewrite| &rewrite.from);
            if replaced.is_some_and(|replaced| evidence.is_ancestor(commit, replaced) == Some(true)) {
                return Err(Doubt::Unchecked(format!(
                    "revision {name} is only in the history that was replaced; it cannot be checked whether it was followed"
                )));
            }
            Err(Doubt::Wrong(format!("revision {name} is not in the history of the followed branch")))
        }
    }
}
