//! Forges, compared with the answers that their documentation and their code show.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod app;
mod commits;
mod failures;
mod gitea;
mod github;
mod gitlab;
mod merges;
mod recorded;
mod repository;
mod support;
mod webhooks;

#[path = "../support/git_command.rs"]
mod git_command;
