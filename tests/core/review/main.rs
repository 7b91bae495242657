//! Tests of proposals, policies, rehearsals and pages.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod policy;
mod presentation;
mod proposal;
mod rehearsal;

#[path = "../../support/example_tree.rs"]
mod example_tree;
#[path = "../../support/instance.rs"]
mod instance;
#[path = "../../support/root.rs"]
mod root;
