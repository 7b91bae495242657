//! Tests of gates, checks and rollbacks in whole simulations.

mod brake;
mod checks;
mod rollback;
mod rollouts;
