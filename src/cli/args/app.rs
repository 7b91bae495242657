//! The arguments of the commands about applications.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::common::{Output, SourceArgs};

/// Applications: what they declare, and what became of it.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: AppCommand,
}

/// The commands about applications.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum AppCommand {
    /// List the applications: their version, their components, and, from the journal, their clusters and their state
    ///
    /// The exit code is 1 if a declaration has an error.
    List(AppListArgs),
}

/// Where the declarations and the journal are.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppSourceArgs {
    /// Read the declarations in this directory: the root of a config repository, or an overlay in one. Without --source, the journal is that
    /// of the Git repository around it, as it was last fetched
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub path: PathBuf,
    /// Where to read the journal.
    #[command(flatten)]
    pub journal: SourceArgs,
}

/// List the applications.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppListArgs {
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Where to read.
    #[command(flatten)]
    pub source: AppSourceArgs,
}
