//! The command line: its arguments, the commands, and what they share. `compose` connects the parts.

mod args;
mod commands;
mod compose;
mod config;
mod dispatch;
mod failure;
mod journal;
mod output;
mod render_cluster;
mod repository;
mod signal;

pub use commands::{crds, examples};
pub use dispatch::main;
pub use failure::Failure;

// `render_cluster` still imports these modules by their former names.
use self::{compose as wire, output::document as render, output::stdout as say};
