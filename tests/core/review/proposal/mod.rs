//! The plan of a change to a fleet.

mod application;
mod change;
mod example;
pub(crate) mod scene;
