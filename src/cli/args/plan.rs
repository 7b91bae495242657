//! The arguments of the commands that look ahead.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::common::{HubArgs, SourceArgs};

/// Show what a change will do to the fleet.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct PlanArgs {
    /// The revision before the change: a branch, tag or commit of the repository, or a directory. Without it, what is in force
    /// according to the journal, or else the tip of the followed branch
    #[arg(long, value_name = "REV|DIR")]
    pub base: Option<String>,
    /// The revision with the change: a branch, tag or commit of the repository, or a directory. Without it, the files of the work tree
    #[arg(long, value_name = "REV|DIR")]
    pub head: Option<String>,
    /// Render this overlay, a directory relative to the root of the repository, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
    /// Show only this add-on
    #[arg(long)]
    pub addon: Option<String>,
    /// Print in another format than text for a terminal
    #[arg(short, long, value_enum)]
    pub output: Option<PlanFormat>,
    /// Show the differences of every class, not only of the first ones
    #[arg(long)]
    pub full: bool,
    /// The fleet.
    #[command(flatten)]
    pub fleet: FleetArgs,
    /// The repository and its journal.
    #[command(flatten)]
    pub source: SourceArgs,
}

/// Where to read the fleet.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Fleet")]
pub(crate) struct FleetArgs {
    /// Read the fleet from this file, as `tidegate fleet -o yaml` prints it. Without it and without --kubeconfig, the fleet in the
    /// journal is used, or else the clusters that the repository declares
    #[arg(long = "fleet", value_name = "FILE", conflicts_with_all = ["kubeconfig", "context"])]
    pub file: Option<PathBuf>,
    /// The hub, only if it is named here.
    #[command(flatten)]
    pub hub: HubArgs,
}

/// The formats of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// JSON, as `tidegate schema plan` describes it
    Json,
    /// YAML, the same document
    Yaml,
}
