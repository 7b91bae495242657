//! Lines that the explanations of an add-on and of a cluster have in common.

use tidegate_journal::DELETED;
use tidegate_journal::record::{AddonStatus, Cause, Outcome};
use tidegate_model::followed::Revision;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::Timestamp;
use tidegate_plan::report::DETACHED;

/// The rows of the table in `docs/removal.md` that [`row`] names, by their first words.
const WITHDRAWN: &str = "the add-on leaves the repository";
const UNSELECTED: &str = "no placement selects the cluster any longer";
const GONE: &str = "someone deletes the ManagedCluster";

/// Returns `true` if the time of the next change states everything that the cluster waits for.
pub(super) fn is_explained_by_time(state: ClusterState, at: Option<Timestamp>) -> bool {
    state == ClusterState::Soaking && at.is_some()
}

/// Returns the row of the table in `docs/removal.md` that explains why the add-on is removed from a cluster in this state and for this
/// reason.
pub(super) fn row(status: &AddonStatus, state: ClusterState, reason: &str) -> Option<String> {
    let is_withdrawn = matches!(status.phase, Phase::Removing | Phase::Held)
        && status.rollout.as_ref().is_some_and(|rollout| rollout.cause == Cause::Withdrawal);
    let row = match reason {
        detached if detached.starts_with(DETACHED) || detached == DELETED => GONE,
        _ if is_withdrawn => WITHDRAWN,
        _ => UNSELECTED,
    };
    state.is_unselected().then(|| format!("{row:?} in docs/removal.md"))
}

/// Returns the commit from which the current rollout started, and whether to revert it; `None` if no rollout is in progress or the
/// journal does not have its commit.
pub(super) fn revision(status: &AddonStatus) -> Option<String> {
    let rollout = status.rollout.as_ref().filter(|rollout| rollout.outcome == Outcome::InProgress)?;
    let Revision { commit, subject, author, .. } = rollout.revision.as_ref()?;
    let fails = status.phase == Phase::Stopped || status.clusters.failed > 0;
    let revert =
        if fails && rollout.cause == Cause::Configuration { "; revert it to take the rollout back" } else { "" };
    Some(format!("rollout {} started from {} {subject:?} by {author}{revert}", rollout.number, commit.short()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_rows_are_in_the_documentation() {
        let document = include_str!("../../../../docs/removal.md");
        for row in [UNSELECTED, WITHDRAWN, GONE] {
            assert!(document.lines().any(|line| line.starts_with(&format!("| {row}"))), "{row}");
        }
    }
}
