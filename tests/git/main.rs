//! Tests of the public interface of `git`, with repositories that the `git` program creates and checks.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod ancestry;
mod commit;
mod facts;
mod fetch;
mod fixture;
mod follow;
mod http;
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

#[path = "../support/git_command.rs"]
#[expect(dead_code, reason = "the tests of other members use the rest")]
mod git_command;
#[path = "../support/http_backend.rs"]
mod http_backend;
#[path = "../support/redacted.rs"]
#[expect(dead_code, reason = "the tests of the root package use the rest")]
mod redacted;
#[path = "../support/scratch.rs"]
mod scratch;
