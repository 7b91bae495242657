//! The plan of a change to a fleet.

mod change;
mod example;
pub(crate) mod scene;
