//! The daemon: its configuration, its start, its tasks, and how they end.

mod config;
mod error;
mod start;
mod tasks;

pub use config::Config;
pub use error::Error;
pub use tasks::Daemon;
