//! Tests of gates: windows, limits, order, approvals and control, in the planner and by themselves.

mod calendar;
mod checks;
mod declared;
mod many;
mod rollouts;
