//! What the domain is made of: names, revisions, trees, times, objects and intended writes.
//!
//! Plain values without clock, I/O or Kubernetes client; imports nothing of ours.

pub mod action;
pub mod canonical;
pub mod chain;
pub mod decision;
pub mod duration;
pub mod error_chain;
pub mod instance;
pub mod json;
pub mod label;
pub mod line;
pub mod name;
pub mod near;
pub mod number;
pub mod object;
pub mod plural;
pub mod position;
pub mod quantity;
pub mod quote;
pub mod revision;
pub mod rewind;
pub mod time;
pub mod tree;
