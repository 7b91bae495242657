//! Tests of `hub` through its public interface.

mod act;
mod applications;
pub(crate) mod conformance;
mod discovery;
pub(crate) mod recording;
mod requests;
mod rewind;
mod served;
mod server;
mod state;
mod support;
mod watch;
