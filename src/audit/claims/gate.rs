//! Checks that no cluster started without the approvals that its decision group needs.

use crate::audit::documents::lines::Changed;
use crate::audit::finding::{Problem, Rule};
use tidegate_journal::record::{AddonStatus, ApprovalRecord, ClusterReport};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;

/// Returns a problem if a cluster started on another configuration while the approvals for it were not complete, neither in the status
/// before the commit nor in the one after it. What was approved and withdrawn again between two commits is not recorded.
pub(in crate::audit) fn problem(
    changed: &Changed,
    before: Option<&AddonStatus>,
    after: &AddonStatus,
) -> Option<Problem> {
    if !has_started(changed) {
        return None;
    }
    let Changed { name, line, after: cluster, .. } = changed;
    // Approvals of another digest are about another change.
    let before = before.filter(|before| before.digest == after.digest);
    let is_open = |needed: &&ApprovalRecord| {
        let known = before.into_iter().flat_map(|before| &before.approvals);
        let was_met = known.filter(|known| is_same(known, needed)).any(|known| known.verdict.is_met());
        // Which clusters a policy selects by their labels is not recorded here.
        let is_for_others = needed.breaks_glass || needed.selects_clusters;
        !is_for_others && !needed.verdict.is_met() && !was_met && needs(cluster, needed, after)
    };
    let needed = after.approvals.iter().find(is_open)?;
    let (rule, have, need) = (&needed.verdict.rule, needed.verdict.have.len(), needed.verdict.need);
    let problem = format!("cluster {name}: it started, but {rule} of {} was not approved", needed.policy);
    let expected = format!("Waiting, or {need} approvals instead of {have} in status.yaml");
    Some(Problem::new(Rule::Gate, problem).at(Some(*line)).expected(expected))
}

/// Returns `true` if a cluster started before the commit with which its unit came back to the journal. `returns_after` is when the commit
/// before that was written. A unit may be unknown for a while, for example while applications are switched off.
pub(in crate::audit) fn is_older(changed: &Changed, returns_after: Option<Timestamp>) -> bool {
    let started = changed.after.started.zip(returns_after);
    changed.before.is_none() && started.is_some_and(|(started, after)| started < after)
}

/// Returns `true` if a cluster started on another configuration.
pub(in crate::audit) fn has_started(changed: &Changed) -> bool {
    let Changed { had, after: cluster, .. } = changed;
    let has_any = cluster.state != ClusterState::Waiting && !cluster.state.is_unselected() && !cluster.hash.is_empty();
    has_any && had.as_ref().is_none_or(|had| had.hash != cluster.hash)
}

fn is_same(one: &ApprovalRecord, other: &ApprovalRecord) -> bool {
    let key = |approval: &ApprovalRecord| {
        let ApprovalRecord { policy, placement, breaks_glass, verdict, .. } = approval.clone();
        (policy, placement, breaks_glass, verdict.rule, verdict.group)
    };
    key(one) == key(other)
}

/// Returns `true` if the clusters of a placement and a decision group need an approval.
fn needs(cluster: &ClusterReport, approval: &ApprovalRecord, status: &AddonStatus) -> bool {
    let placement = if cluster.placement.is_empty() { None } else { Some(&cluster.placement) };
    if placement.is_some_and(|placement| *placement != approval.placement) {
        return false;
    }
    let Some(group) = &approval.verdict.group else { return true };
    cluster.group.map(|index| group_name(status, &approval.placement, index)).as_ref() == Some(group)
}

/// Returns how policies name a decision group: by its name, or by its index if it has none.
pub(in crate::audit) fn group_name(status: &AddonStatus, placement: &str, index: i32) -> String {
    let placement = status.placements.iter().find(|known| known.placement == placement);
    let groups = placement.into_iter().flat_map(|placement| &placement.groups);
    let mut named =
        groups.filter(|group| group.index == index && !group.name.is_empty()).map(|group| group.name.clone());
    named.next().unwrap_or_else(|| index.to_string())
}
