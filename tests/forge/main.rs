//! Tests of the edge to forges. A server on a free port answers what a forge would answer, and what it should not.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod auth;
mod comments;
mod gitea;
mod github;
mod gitlab;
mod hostile;
mod limits;
mod lists;
mod objects;
mod shapes;
mod support;
