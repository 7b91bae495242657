//! The rules of RolloutPolicies and control files on starts, read on their own, without `gate`.

mod approvals;
mod available;
mod bar;
mod calendar;
mod case;
mod control;
mod joined;
mod joins;
mod judge;
mod labels;
mod limits;
mod order;
mod policies;
mod reach;
mod traffic;

pub use bar::Bar;
pub(super) use case::Judging;
pub(super) use joined::Joins;
pub(super) use judge::violations;
pub(super) use policies::{Policy, in_force, on_failure};
pub(super) use traffic::Traffic;
pub(super) use {
    control::is_retried, control::quarantine, joins::may_have_joined, reach::may_be_parked, reach::returned_at,
};
