//! The daemon: its configuration, its start, its tasks, and how they end.

mod config;
mod error;
mod start;
mod tasks;

pub use config::Config;
pub use error::Error;
pub(in crate::reconciler) use start::journal_branch;
pub use tasks::Daemon;
