//! The plan of a change to a fleet.

mod change;
mod example;
mod scene;
