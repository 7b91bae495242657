//! Gates: what must hold before a cluster starts, beyond the rollout strategy.
//!
//! Owns the evaluation of RolloutPolicies: windows and freezes, limits across add-ons, order, locks, clusters that cannot be reached and
//! clusters that join in the middle. All policies that select a cluster apply, and each gate must be open. The rollout engine asks
//! [`Gates::admit`] about each cluster that it would start; [`aside`] says which clusters take no part.
//!
//! A policy that cannot be evaluated closes everything that it selects.

mod approvals;
mod aside;
mod calendar;
pub mod checks;
mod counts;
mod describe;
mod failure;
mod forecast;
mod gates;
mod policies;
mod problem;
mod problems;
mod traffic;
mod unreachable;

pub use self::approvals::{Approvable, Judged};
pub use self::aside::{Aside, Member, aside};
pub use self::failure::Reaction;
pub use self::forecast::Foreseen;
pub use self::gates::{Gates, Turn};
pub use self::policies::Policies;
pub use self::problem::Problem;
pub use self::problems::{problems, windows_meet};
pub use self::traffic::{Standing, Traffic, UnitTraffic};
