//! Tests of `git` through its public face, against repositories made and checked by the `git` program.

mod commit;
mod fetch;
mod fixture;
mod http;
mod http_backend;
mod log;
mod push;
mod remote;
mod state;
mod tree;
mod watch;
