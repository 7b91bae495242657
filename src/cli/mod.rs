//! The command line: its arguments, the commands, and what they share. `compose` connects the parts.

mod args;
mod certificates;
mod commands;
mod compose;
mod config;
mod conversion;
mod dispatch;
mod downloads;
mod failure;
mod forge;
mod forge_settings;
mod journal;
mod new_files;
mod output;
mod own_git;
mod process;
mod receivers;
mod repository;
mod signal;
mod version;
mod webhook;

pub use commands::{crds, examples};
pub use dispatch::{main, run};
pub use failure::Failure;
pub use process::{Captured, Process};
