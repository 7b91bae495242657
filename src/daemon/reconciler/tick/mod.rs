//! A tick, which observes, plans, acts and reports, and the loop that runs the ticks.

mod check;
mod clock_watch;
mod decided;
mod delivery;
mod elapsed;
mod gaps;
mod recording;
mod refusals;
mod renewals;
mod reverts;
mod signing;
mod step;
mod tick_loop;
mod ticker;
mod waiting;

pub(super) use check::Breach;
pub(super) use check::Check;
pub(super) use tick_loop::run_ticks;
pub(super) use ticker::{Memory, Ticker};
