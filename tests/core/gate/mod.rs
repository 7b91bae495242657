//! Tests of gates: windows, limits, order, approvals and control, in the planner and by themselves.

mod aside;
mod calendar;
mod checks;
mod declared;
mod failure;
mod many;
mod order;
mod rollouts;
