//! Tests of `sandbox` through its public face.

mod agents;
mod apply;
mod client;
mod core;
mod deletion;
mod discovery;
mod fleet;
mod kubectl;
mod lists;
mod patches;
mod random;
mod refusals;
mod schema;
mod support;
mod versions;
mod watches;
mod writes;
