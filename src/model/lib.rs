//! The values of the domain: names, revisions, trees, times, objects and intended writes.
//!
//! Plain values without clock, I/O or Kubernetes client.

pub mod action;
pub mod chain;
pub mod decision;
pub mod error_chain;
pub mod followed;
pub mod instance;
pub mod line;
pub mod name;
pub mod near;
pub mod object;
pub mod plural;
pub mod position;
pub mod progress;
pub mod revision;
pub mod rewind;
pub mod semantics;
pub mod time;
pub mod tree;
