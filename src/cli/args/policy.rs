//! The arguments of the commands about policies.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::common::{OperatorArgs, Output};

/// Policies: rules that changes must obey.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct PolicyArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: PolicyCommand,
}

/// Show who can get what onto a cluster, and which guard is off.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct TrustArgs {
    /// The root of a config repository
    #[arg(default_value = ".", value_name = "DIR")]
    pub path: PathBuf,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// What the operator says.
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// The commands about policies.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Run the tests that are written next to the rules
    ///
    /// The exit code is 1 if a test fails, or a policy cannot be used.
    Test(PolicyDirectory),
    /// List the policies
    List(PolicyDirectory),
    /// Print the library: policies that many teams want, with their tests
    Library(LibraryArgs),
}

/// Where to read policies.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct PolicyDirectory {
    /// The root of a config repository, or any directory with policies
    #[arg(default_value = ".", value_name = "DIR")]
    pub path: PathBuf,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Where to write the library.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct LibraryArgs {
    /// Write each policy to a file of this directory, such as policies, instead of printing it; files that exist are kept
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}
