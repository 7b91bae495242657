//! Tests of the record of a fleet: its bytes, what it leaves out, and its errors. `simulation::recorded` compares plans.

mod errors;
mod hub;
mod journal;
mod passing;
