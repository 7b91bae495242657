//! Tests of the daemon's edges: approvals from Git, checks, its monitoring server, news and notifications.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod approvals;
mod browser;
mod leader;
mod monitor;
mod news;
mod notification;

#[path = "../support/example_tree.rs"]
mod example_tree;
#[path = "../support/git_command.rs"]
mod git_command;
#[path = "../support/page_journal.rs"]
mod page_journal;
#[path = "../core/page/scene.rs"]
mod page_scene;
#[path = "../support/root.rs"]
mod root;
#[path = "../support/scratch.rs"]
mod scratch;
