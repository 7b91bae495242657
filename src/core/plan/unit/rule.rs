//! Decides which clusters of an add-on start: asks the gates and the rollout engine about each placement.

use super::approvals;
use super::checks;
use super::control;
use super::rejection;
use super::rollback;
use super::ruled::Ruled;
use super::ruling;
use super::steps;
use crate::context::Context;
use crate::node::Node;
use tidegate_consent::Judges;
use tidegate_rollout::Gate;
use tidegate_rollout::gate::{Gates, Turn};

/// The decisions about the placements of an add-on, before anything is written.
#[derive(Debug)]
pub(super) struct Rulings<'n, 'a> {
    /// The gates that hold all clusters.
    holds: Vec<Gate>,
    /// One entry for each placement, in order.
    pub placements: Vec<Ruled<'n, 'a>>,
}

/// Decides about the placements of an add-on in order.
pub(super) fn rule<'n, 'a>(
    context: &Context<'a>,
    nodes: &'n [Node<'a>],
    judges: &Judges,
    gates: &mut Gates<'a>,
) -> Rulings<'n, 'a> {
    let holds: Vec<Gate> = control::holds(context).into_iter().chain(rejection::hold(context)).collect();
    let unrecorded = rejection::unrecorded(context);
    let mut placements: Vec<Ruled<'n, 'a>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let step = steps::gate(context, &placements, node);
        let holds: Vec<Gate> = holds.iter().chain(&node.aside.hold).cloned().chain(step).collect();
        let approvals = approvals::judged(context, node, judges, gates);
        let checks = checks::judged(context, node, gates);
        let turn = Turn {
            unit: context.name,
            placement: node.placement.as_ref(),
            holds: &holds,
            approvals: &approvals,
            checks: &checks,
            rolls_back: node.rolls_back,
            is_foreseen: false,
            requires: context.unit.requires(),
        };
        let newest = rollback::newest(context, node);
        let ruling = ruling::ruling(context, node, &mut |name, group| {
            let later = newest.and_then(|newest| rollback::gate(context, node, newest, name, group.index));
            let unrecorded = unrecorded.clone().filter(|_| node.rolls_back);
            unrecorded.or(later).or_else(|| gates.admit(&turn, name, group))
        });
        placements.push(Ruled { node, holds, approvals, checks, ruling });
    }
    Rulings { holds, placements }
}

impl<'n, 'a> Rulings<'n, 'a> {
    /// Returns the placements with their clusters.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'n Node<'a>> {
        self.placements.iter().map(|ruled| ruled.node)
    }

    /// Returns why no further cluster starts, if too many have failed or were late.
    pub(super) fn stopped(&self) -> Option<String> {
        self.placements.iter().find_map(|ruled| ruled.ruling.stopped())
    }

    /// Returns the first placement in which too many clusters or a check failed, and what failed.
    pub(super) fn failed(&self) -> Option<(&'n Node<'a>, String)> {
        let failure = |ruled: &Ruled<'n, 'a>| ruled.ruling.failure().or_else(|| checks::failed(&ruled.checks));
        self.placements.iter().find_map(|ruled| Some((ruled.node, failure(ruled)?)))
    }

    /// Returns the first gate that holds all clusters of the add-on or of a placement.
    pub(super) fn hold(&self) -> Option<&Gate> {
        self.holds.first().or_else(|| self.nodes().find_map(|node| node.aside.hold.as_ref()))
    }
}
