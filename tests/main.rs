//! Tests of the program: its edges, the loop, the command line, and what needs several members.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

use mimalloc::MiMalloc;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

mod addon_manager;
mod architecture;
mod audit;
mod book;
mod checks;
mod cli;
mod daemon;
mod deploy;
mod doctor;
mod examples;
mod figures;
mod fuzz;
mod hub;
mod journal;
mod vectors;
mod wording;

#[path = "support/certificate_request.rs"]
mod certificate_request;
#[path = "support/chart_archive.rs"]
#[expect(dead_code, reason = "the tests of downloads use the rest")]
mod chart_archive;
#[path = "support/difference.rs"]
mod difference;
#[path = "support/example_tree.rs"]
mod example_tree;
#[path = "support/files_below.rs"]
mod files_below;
#[path = "support/git_command.rs"]
mod git_command;
#[path = "support/http_backend.rs"]
#[expect(dead_code, reason = "the tests of git use the rest")]
mod http_backend;
#[path = "support/http_server.rs"]
#[expect(dead_code, reason = "the tests of downloads use the rest")]
mod http_server;
#[path = "support/recorded.rs"]
mod recorded;
#[path = "support/redacted.rs"]
mod redacted;
#[path = "support/root.rs"]
mod root;
#[path = "support/scratch.rs"]
mod scratch;
#[path = "support/addon_manager/mod.rs"]
mod upstream;
#[path = "support/watcher.rs"]
mod watcher;
