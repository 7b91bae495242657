//! Tests of `hub` through its public face.

mod act;
mod discovery;
mod served;
mod server;
mod state;
mod support;
mod watch;
