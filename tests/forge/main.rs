//! Tests of the edge to forges. A server answers what a forge would answer, and what it should not. Most tests call it in process, and
//! those whose subject is the connection over a free port.

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
