//! Tests of downloads. Servers on free ports answer what they should, and what they should not.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod archives;
mod charts;
mod files;
mod git;
mod helm;
mod registries;
mod server;

#[path = "../support/chart_archive.rs"]
mod chart_archive;
#[path = "../support/git_command.rs"]
#[expect(dead_code, reason = "the tests of other members use the rest")]
mod git_command;
#[path = "../support/http_backend.rs"]
#[expect(dead_code, reason = "the tests of other members use the rest")]
mod http_backend;
#[path = "../support/http_server.rs"]
mod http_server;
#[path = "../support/redacted.rs"]
#[expect(dead_code, reason = "the tests of the root package use the rest")]
mod redacted;
#[path = "../support/scratch.rs"]
mod scratch;
