//! The arguments of the commands about notifications.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

/// Notifications to chats and webhooks.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct NotifyArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: NotifyCommand,
}

/// The commands about notifications.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum NotifyCommand {
    /// Send one test message to each receiver, and show what each answered
    ///
    /// The exit code is 1 if a receiver does not accept the message.
    Test(NotifyTestArgs),
}

/// Which receivers to test.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct NotifyTestArgs {
    /// Read the receivers from this file, the one of the daemon
    #[arg(long, env = "TIDEGATE_CONFIG", value_name = "FILE")]
    pub config: PathBuf,
}
