//! The arguments of the audit commands: history, its verification, and schemas.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::common::{Output, SourceArgs};

/// Show what was rolled out, when, by whom and with which outcome.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct HistoryArgs {
    /// Show only this add-on, with the details of each rollout
    pub addon: Option<String>,
    /// Show the history of this cluster, across rollouts and add-ons
    #[arg(long)]
    pub cluster: Option<String>,
    /// Show only what was under way since then: a span such as 7d or 12h, a day such as 2026-11-01, or a timestamp
    #[arg(long)]
    pub since: Option<String>,
    /// Check instead that no one has changed the journal, and that every rollout had the approvals that it needed
    #[arg(long, conflicts_with_all = ["addon", "cluster", "since"])]
    pub verify: bool,
    /// Require every commit of the journal, from the first signed one on, to be signed with a key in these files: allowed signers of ssh,
    /// or OpenPGP keyrings
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub journal_keys: Vec<PathBuf>,
    /// Trust the keys in these files of those who approve and commit changes, instead of those that the daemon's file names
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub trusted_keys: Vec<PathBuf>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Where to read the journal.
    #[command(flatten)]
    pub source: SourceArgs,
}

/// Print the JSON Schema of a document.
///
/// With the schema `repository`, an editor with the YAML language server completes and checks every file of a repository.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SchemaArgs {
    /// Name of the document, a kind for its latest version, or "all"; without it, the names are printed
    #[arg(value_name = "NAME")]
    pub document: Option<String>,
    /// Write files to this directory instead, each with the name of its document
    #[arg(long, value_name = "DIR", requires = "document")]
    pub dir: Option<PathBuf>,
}
