//! Tests of gates: windows, limits, order, approvals and control, in the planner and by themselves.

mod aside;
mod calendar;
mod checks;
mod failure;
mod many;
mod order;

use tidegate_model::name::{ClusterName, UnitName};
use tidegate_rollout::gate::checks::Judged;
use tidegate_rollout::gate::{Gates, Turn};
use tidegate_rollout::{Gate, GroupKey};

/// Returns the gate that keeps an add-on from starting on a cluster, where no approval and no check is required.
fn held_by(gates: &mut Gates<'_>, addon: &UnitName, cluster: &ClusterName) -> Option<Gate> {
    let turn = Turn {
        unit: addon,
        placement: None,
        holds: &[],
        approvals: &[],
        checks: &Judged::default(),
        rolls_back: false,
        is_foreseen: false,
    };
    gates.admit(&turn, cluster, &GroupKey::default())
}
