//! Tests of gates: windows, limits, order, approvals and control, in the planner and by themselves.

mod aside;
mod calendar;
mod checks;
mod failure;
mod many;
mod order;

use std::collections::BTreeSet;

use tidegate_model::name::{ClusterName, UnitName};
use tidegate_rollout::gate::checks::Judged;
use tidegate_rollout::gate::{Gates, Turn};
use tidegate_rollout::{Gate, GroupKey};

/// Returns the gate that keeps an add-on from starting on a cluster, where no approval and no check is required.
fn held_by(gates: &mut Gates<'_>, addon: &UnitName, cluster: &ClusterName) -> Option<Gate> {
    held_by_required(gates, addon, &BTreeSet::new(), cluster)
}

/// Returns the gate that keeps a unit from starting on a cluster, if it requires others.
fn held_by_required(
    gates: &mut Gates<'_>,
    addon: &UnitName,
    requires: &BTreeSet<UnitName>,
    cluster: &ClusterName,
) -> Option<Gate> {
    let turn = Turn {
        unit: addon,
        placement: None,
        holds: &[],
        approvals: &[],
        checks: &Judged::default(),
        rolls_back: false,
        is_foreseen: false,
        requires,
    };
    gates.admit(&turn, cluster, &GroupKey::default())
}
