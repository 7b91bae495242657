//! The order of the parts of a unit: a part starts once those of all earlier steps are done.

use super::rule::Ruled;
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
    if let Some(failure) = ruled.ruling.failure() {
        return Some(failure);
    }
    if node.children.is_empty() && node.awaited.is_empty() && node.foreign.is_empty() {
        return (!may_be_empty).then(|| "it selects no clusters".to_owned());
    }
    let is_open = |child: &&Child<'_>| {
        let is_over = matches!(
            ruled.ruling.verdict(child.name),
            Some(
                Verdict::Done
                    | Verdict::Late { .. }
                    | Verdict::Failed { .. }
                    | Verdict::TimedOut
                    | Verdict::Skipped
                    | Verdict::Removed
            )
        );
        !is_over && !node.aside.includes(child.name)
    };
    let awaited = node.awaited.iter().filter(|(name, missing)| {
        // A cluster that left the hub has nothing to be done.
        *missing != Missing::Cluster && !node.aside.includes(name)
    });
    let open = node.children.iter().filter(is_open).count() + awaited.count();
    (open > 0).then(|| format!("{} not done", counted(open, "cluster")))
}
