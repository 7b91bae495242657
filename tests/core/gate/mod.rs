//! Tests of gates: windows, limits, order, approvals and control, in the planner and by themselves.

mod aside;
mod brake;
mod calendar;
mod checks;
mod declared;
mod failure;
mod many;
mod order;
mod rollback;
mod rollouts;

use tidegate_core::gate::checks::Judged;
use tidegate_core::gate::{Gates, Turn};
use tidegate_core::rollout::{Gate, GroupKey};
use tidegate_model::name::{AddonName, ClusterName};

/// Returns the gate that keeps an add-on from starting on a cluster, where no approval and no check is required.
fn held_by(gates: &mut Gates<'_>, addon: &AddonName, cluster: &ClusterName) -> Option<Gate> {
    let turn = Turn {
        addon,
        placement: None,
        holds: &[],
        approvals: &[],
        checks: &Judged::default(),
        rolls_back: false,
        is_foreseen: false,
    };
    gates.admit(&turn, cluster, &GroupKey::default())
}
