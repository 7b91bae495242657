//! The arguments of `vendor`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::common::Output;

/// Copy what declarations name elsewhere into the repository.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct VendorArgs {
    /// The root of a config repository, or a directory in one
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// Only check that everything is vendored and unchanged: exit code 1 if not. Needs neither a network nor helm or vela
    #[arg(long, conflicts_with = "update")]
    pub check: bool,
    /// Resolve branches, tags and version ranges again, and render the charts again; only what has this name, if one is given: a source
    /// as it is declared, the name of a chart, a directory below vendor/, or the file of an application
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub update: Option<String>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// How servers are reached.
    #[command(flatten)]
    pub download: DownloadArgs,
    /// Render charts with this program: helm 3 or 4
    #[arg(long, env = "TIDEGATE_HELM", value_name = "PROGRAM", default_value = "helm")]
    pub helm: PathBuf,
    /// Render the applications of [[vendor]] in tidegate.toml with this program: the command line of KubeVela
    #[arg(long, env = "TIDEGATE_VELA", value_name = "PROGRAM", default_value = "vela")]
    pub vela: PathBuf,
}

/// How the servers of charts, bases and images are reached.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct DownloadArgs {
    /// Read user names and passwords of servers from this file, in the format of netrc: `machine HOST login USER password TOKEN`. Each is
    /// sent to its own host only
    #[arg(long, env = "TIDEGATE_CREDENTIALS_FILE", value_name = "FILE", help_heading = "Access to servers")]
    pub credentials_file: Option<PathBuf>,
    /// Trust the certificates in this PEM file, in addition to the public ones
    #[arg(long, env = "TIDEGATE_CA_FILE", value_name = "FILE", help_heading = "Access to servers")]
    pub ca_file: Option<PathBuf>,
}
