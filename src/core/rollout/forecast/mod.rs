//! A rollout in virtual time: which clusters start when, and when each is done, given how the clusters answer.
//!
//! [`run`] asks the rollout engine, as the planner does, and lets the clusters answer as a [`Behavior`] says. It reads no clock and
//! uses no randomness: the same behavior gives the same [`Forecast`]. [`waves`] summarizes a forecast by group.

mod behavior;
mod gate;
mod run;
mod wave;

pub use self::behavior::{Behavior, Report, after};
pub use self::gate::{Admission, Gatekeeper, NoGates};
pub use self::run::{Forecast, Outcome, Run, run, run_with};
pub use self::wave::{Wave, group_name, waves};
