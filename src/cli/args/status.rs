//! The arguments of the commands that read the current state from the journal.

use clap::Args as ClapArgs;

use super::common::{Output, SourceArgs};
use super::replay::RecordingArgs;

/// Show the state of the add-ons, from the journal.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct StatusArgs {
    /// Show one add-on with its clusters
    pub addon: Option<String>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Keep showing the state until stopped: redrawn in place on a terminal, and printed whenever the journal changes in a pipe
    #[arg(long)]
    pub watch: bool,
    /// End with exit code 0 only if everything is at its target: 1 if something failed, is stopped, held or refused, or has
    /// complaints; 4 if a rollout is under way
    #[arg(long, conflicts_with = "watch")]
    pub exit_code: bool,
    /// Where to read the journal.
    #[command(flatten)]
    pub source: SourceArgs,
}

/// Explain why the clusters of an add-on are in their state, from the journal.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ExplainArgs {
    /// Explain this add-on
    pub addon: String,
    /// Explain only this cluster
    pub cluster: Option<String>,
    /// Explain why these two clusters get different manifests
    #[arg(long, num_args = 2, value_names = ["CLUSTER", "CLUSTER"], conflicts_with_all = ["cluster", "recording"])]
    pub why_different: Vec<String>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Where to read the journal.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What to read instead.
    #[command(flatten)]
    pub recording: RecordingArgs,
}
