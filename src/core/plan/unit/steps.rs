//! The order of the parts of a unit: a part starts once those of all earlier steps are done.

use super::checks;
use super::ruled::Ruled;
use crate::context::Context;
use crate::node::{Child, Node};
use crate::report::missing::Missing;
use tidegate_model::plural::counted;
use tidegate_rollout::{Barrier, Gate, Verdict};

/// Returns the gate that holds the clusters of a part; `None` if all earlier steps are done. `earlier` are the parts before it.
///
/// Clusters go back to the last good digest without an order of steps.
pub(super) fn gate(context: &Context<'_>, earlier: &[Ruled<'_, '_>], node: &Node<'_>) -> Option<Gate> {
    if node.rolls_back {
        return None;
    }
    let own = context.unit.turn(earlier.len()).step;
    let open = |(part, ruled): (usize, &Ruled<'_, '_>)| {
        let turn = context.unit.turn(part);
        let why = unfinished(ruled, turn.may_be_empty).filter(|_| turn.step < own)?;
        let placement = ruled.node.placement.as_ref().map(ToString::to_string).unwrap_or_default();
        Some(Gate { source: format!("the steps of {}", context.name), barrier: Barrier::Step { placement, why } })
    };
    earlier.iter().enumerate().find_map(open)
}

/// Returns why a part is not done. Failures within its budget do not hold up later steps.
fn unfinished(ruled: &Ruled<'_, '_>, may_be_empty: bool) -> Option<String> {
    let node = ruled.node;
    if let Some(problem) = &node.problem {
        return Some(problem.clone());
    }
    if node.is_partial {
        return Some("its clusters are not known".to_owned());
    }
    if let Some(failure) = ruled.ruling.failure().or_else(|| checks::failed(&ruled.checks)) {
        return Some(failure);
    }
    let taking_part = || node.children.iter().filter(|child| !node.aside.includes(child.name));
    // Nothing is to be done for a cluster that left the hub, or for one that two entries select.
    let is_open = |missing: &Missing| !matches!(missing, Missing::Cluster | Missing::Contested { .. });
    let awaited = node.awaited.iter().filter(|(name, missing)| is_open(missing) && !node.aside.includes(name));
    let verdict = |child: &Child<'_>| ruled.ruling.verdict(child.name);
    let open = taking_part().filter(|child| !verdict(child).is_some_and(is_over)).count() + awaited.count();
    if open > 0 {
        return Some(format!("{} not done", counted(open, "cluster")));
    }
    if let Some(check) = ruled.checks.judgements.iter().find(|judgement| !judgement.is_open) {
        return Some(format!("check {:?} of {} has not passed", check.check, check.group));
    }
    let is_proven = |child: &Child<'_>| matches!(verdict(child), Some(Verdict::Done | Verdict::Late { .. }));
    let has_own = node.groups.iter().any(|group| !group.clusters.is_empty());
    match (has_own, node.selected > 0) {
        (true, _) => (!taking_part().any(is_proven)).then(|| "none of its clusters is done".to_owned()),
        // All of them belong to earlier steps.
        (false, true) => None,
        (false, false) => (!may_be_empty).then(|| "it selects no clusters".to_owned()),
    }
}

fn is_over(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Done
            | Verdict::Late { .. }
            | Verdict::Failed { .. }
            | Verdict::TimedOut
            | Verdict::Skipped
            | Verdict::Removed
    )
}
