//! Tests of `git` through its public face, against repositories made and checked by the `git` program.

mod ancestry;
mod commit;
mod facts;
mod fetch;
mod fixture;
mod follow;
mod http;
pub(crate) mod http_backend;
mod log;
mod push;
mod recovery;
mod remote;
mod shallow;
mod ssh;
mod state;
mod tls;
mod tree;
mod trouble;
mod watch;
