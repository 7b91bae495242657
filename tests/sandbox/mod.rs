//! Tests of `sandbox` through its public face.

#![expect(clippy::unwrap_used, reason = "the configuration spares test functions only, and these have helpers")]

mod agents;
mod apply;
mod client;
mod deletion;
mod discovery;
mod fleet;
mod kubectl;
mod lists;
mod patches;
mod schema;
mod support;
mod versions;
mod watches;
mod writes;
