//! The command line of the audit: histories, their verification, and schemas.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::args::{Output, SourceArgs};

/// Tell what was rolled out, when, by whom and how it ended.
#[derive(Debug, Clone, ClapArgs)]
pub struct HistoryArgs {
    /// Where to read; without --source, the clone that one is in.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Only this add-on, with the details of each rollout
    pub addon: Option<String>,
    /// The life of this cluster, across rollouts and add-ons
    #[arg(long)]
    pub cluster: Option<String>,
    /// Only what was under way since then: a span such as 7d or 12h, a day such as 2026-11-01, or a timestamp
    #[arg(long)]
    pub since: Option<String>,
    /// Print for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Check that nobody has changed the journal.
#[derive(Debug, Clone, ClapArgs)]
pub struct VerifyArgs {
    /// Files of keys that sign the journal: allowed signers of ssh, or OpenPGP keyrings. Every commit has to be signed then
    #[arg(long, value_name = "FILE")]
    pub trusted_keys: Vec<PathBuf>,
    /// Let commits without a signature pass, and count those that have one
    #[arg(long, requires = "trusted_keys")]
    pub allow_unsigned: bool,
    /// Where to read; without --source, the clone that one is in.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Print for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Print the JSON Schema of a document.
///
/// An editor with the YAML language server completes and checks every file of a repository by the schema `repository`.
#[derive(Debug, Clone, ClapArgs)]
pub struct SchemaArgs {
    /// Which document, a kind alone for its latest version, or "all"; without it, the names are printed
    #[arg(value_name = "NAME")]
    pub document: Option<String>,
    /// Write files into this directory instead, each with the name of its document
    #[arg(long, value_name = "DIR", requires = "document")]
    pub dir: Option<PathBuf>,
}
