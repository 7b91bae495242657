//! Tests of `hub` through its public face.
#![expect(clippy::unwrap_used, clippy::panic, reason = "test support is only called by tests")]

mod act;
mod discovery;
mod served;
mod server;
mod state;
mod support;
mod watch;
